package deflate

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// An itemFinder searches for matches in input without planes: whole items, some of
// whose bytes cost much more than others. The costs of symbols in the previous pieces
// determine which matches are chosen (prices.go).
//
// Its tables hold positions modulo 1<<16, as a finder's do.
type itemFinder struct {
	effort Effort
	prices prices

	misses [phases]int // lookups since the last match, for each offset in an item
	links
	factor   uint64 // factor of the hash of keys
	headBits uint

	parser  lz77.Parser
	src     []byte // input, in which matches of the current piece begin before end
	end     int
	missed  int // positions since the last match
	lengths []uint32
}

const (
	headBits  = 17
	phases    = 16      // offsets in items of 8 or 16 bytes
	itemPiece = 4 << 10 // short, because the statistics change quickly
)

// begin begins an input.
func (w *itemFinder) begin(n int, e Effort) {
	w.effort = e
	w.headBits = min(uint(bits.Len(uint(n)))+1, headBits) // no more than can be cleared quickly
	w.short, w.more = true, e.More
	w.factor, w.fewShift = key4, 0
	if e.values() {
		w.factor, w.fewShift = prime, 64-8*chainKey
	}
	w.misses = [phases]int{}
	w.reset(n, w.factor, w.headBits)
}

// learn sets the initial prices from the first piece of an input.
func (w *itemFinder) learn(src []byte, to int, p *block, seqs []seq) []seq {
	w.prices.guess(src[:to])
	n := len(seqs)
	seqs, p.to = w.find(seqs, src, 0, to)
	p.from = 0
	p.counts = counts{}
	p.count(src, seqs[n:])
	w.prices.learn(p, p.counts.cost()+p.extra(), seqs[n:])
	w.reset(len(src), w.factor, w.headBits)
	return seqs[:n]
}

// find does the work of finder.find. Matches may extend beyond to.
func (w *itemFinder) find(seqs []seq, src []byte, from, to int) ([]seq, int) {
	w.Skip(from - ring)
	if w.effort.Optimal {
		return w.findOptimal(seqs, src, from, to)
	}
	e, p := &w.effort, &w.prices
	end := min(to, len(src)-tail)
	anchor, ip := from, max(from, 1)
	for ip < end {
		if n := run(src, ip); n >= longMatch {
			seqs, n = appendRun(seqs, ip-anchor, n)
			w.passRun(src, ip, ip+n)
			ip += n
			anchor = ip
			continue
		}
		if (ip-anchor)>>(e.Skip&63) < maxLinked && w.skips(ip) {
			ip++
			continue
		}
		m := w.best(src, ip, e.Depth)
		w.misses[ip%phases]++
		if m.length == 0 || !p.worthwhile(src, ip, m) {
			step := 1 + min((ip-anchor)>>(e.Skip&63), mostSkipped)
			ip += step
			if step > maxLinked {
				w.Skip(ip)
			}
			continue
		}
		w.misses[ip%phases] = 0
		skipped := 0 // cost of the literals before a match, above the average cost of bytes
		for ahead := 1; ahead <= e.ChainLazy && m.length < e.Nice && ip+ahead < end; ahead++ {
			skipped += int(p.literal[src[ip+ahead-1]]) - p.byte
			n := w.best(src, ip+ahead, e.Depth/2)
			if n.length == 0 {
				continue
			}
			here, there := ip+m.length, ip+ahead+n.length
			if n.gain-skipped+p.left(src, here, there) > m.gain+p.left(src, there, here) {
				m = n
				ip += ahead
				ahead, skipped = 0, 0
			}
		}
		seqs = appendMatch(seqs, ip-anchor, m)
		ip += m.length
		anchor = ip
	}
	return appendRest(seqs, anchor, to)
}

// skips reports whether to skip ip, because no match has begun at this offset in an item
// for a long time. One position in four is not skipped, in a pattern whose period is not
// that of any item.
func (w *itemFinder) skips(ip int) bool {
	const many = 64
	return w.misses[ip%phases] > many && w.effort.values() && uint32(ip/phases)*0x9e3779b1>>30 != 0
}

// run returns how many bytes, starting at ip, equal the one before.
func run(src []byte, ip int) int {
	x := mem.Load64(src, ip) ^ mem.Load64(src, ip-1)
	if x != 0 {
		return bits.TrailingZeros64(x) >> 3
	}
	return 8 + lz77.CommonPrefix(src, ip+8, ip+7, len(src))
}

// best returns the match at ip that saves the most if every byte has the average cost:
// bytes that it does not cover may be covered by the next match.
func (w *itemFinder) best(src []byte, ip, depth int) match {
	p := &w.prices
	m := match{gain: -1 << 30}
	for _, c := range w.candidates(src, ip, depth) {
		length, distance := int(c.Length), int(c.Off)
		gain := length*p.byte - p.match(length, distance)
		least := m.gain
		if m.length > 0 {
			least -= p.left(src, ip+m.length, ip+length)
		}
		if gain > least {
			m = match{length, distance, gain}
		}
	}
	return m
}

// candidates returns the matches at ip, and links it. They may extend beyond
// the piece.
func (w *itemFinder) candidates(src []byte, ip, depth int) []lz77.Candidate {
	return w.search(src, ip, min(len(src), ip+maxMatch), depth, w.effort.Nice)
}
