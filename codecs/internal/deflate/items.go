package deflate

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// An itemFinder looks for matches in what is not planes: items whose bytes are
// together, some of which cost much more than others. What to take is decided
// by what symbols have cost in the pieces before (prices.go).
//
// Its tables hold positions modulo 1<<16, as a finder's do.
type itemFinder struct {
	effort Effort
	prices prices

	misses    [phases]int           // lookups that found nothing since one did, by the place in an item
	next      int                   // first position that is not linked
	head      [1 << headBits]uint16 // chains of the positions with the same key
	before    [ring]uint16
	last3     [1 << shortBits]uint16 // the last position of each three bytes
	last      [1 << fewBits]uint32   // and of each few bytes, where keys are longer
	keyShift  uint                   // what takes the bytes of a word away that do not count
	headShift uint                   // what leaves the bits of a hash that head is looked up by
	fewShift  uint                   // 0 where nothing is looked up by few bytes

	found [maxMatch]candidate
	nodes [itemPiece + maxMatch + 1]node
}

// A candidate is a match that is longer than those before it. Its distance is
// less 1.
type candidate struct{ length, distance int }

const (
	headBits  = 17
	fewBits   = 14
	phases    = 16      // places in items of 8 or 16 bytes
	itemPiece = 4 << 10 // so little, as what is common changes soon
)

// begin begins an input.
func (w *itemFinder) begin(n int, e Effort) {
	w.effort = e
	w.headShift = 64 - uint(min(bits.Len(uint(n))+1, headBits)) // not more of it than is cleared soon
	w.keyShift, w.fewShift = 64-8*chainKey, 0
	if e.Values {
		w.keyShift, w.fewShift = 0, 64-8*chainKey
	}
	w.misses = [phases]int{}
	w.clear(n)
}

func (w *itemFinder) clear(n int) {
	clear(w.head[:1<<(64-w.headShift)])
	clear(w.before[:min(n, ring)])
	clear(w.last3[:])
	if w.fewShift > 0 {
		clear(w.last[:])
	}
	w.next = 0
}

// learn looks at the first piece of an input, for prices to begin with.
func (w *itemFinder) learn(src []byte, to int, p *block, seqs []seq) []seq {
	w.prices.guess(src[:to])
	n := len(seqs)
	seqs, p.to = w.find(seqs, src, 0, to)
	p.from = 0
	p.counts = counts{}
	p.count(src, seqs[n:])
	w.prices.learn(p, p.counts.cost()+p.extra(), seqs[n:])
	if w.fewShift > 0 && w.prices.rare(chainKey) {
		w.fewShift -= 8
	}
	w.clear(len(src))
	return seqs[:n]
}

// find is that of a finder. Matches may go on after to.
func (w *itemFinder) find(seqs []seq, src []byte, from, to int) ([]seq, int) {
	w.next = max(w.next, from-ring)
	if w.effort.Optimal {
		return w.findOptimal(seqs, src, from, to)
	}
	e, p := &w.effort, &w.prices
	end := min(to, len(src)-tail)
	anchor, ip := from, max(from, 1)
	for ip < end {
		if n := run(src, ip); n >= longMatch {
			seqs, n = appendRun(seqs, ip-anchor, n)
			ip += n
			w.passRun(src, ip-n, ip)
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
				w.next = max(w.next, ip)
			}
			continue
		}
		w.misses[ip%phases] = 0
		skipped := 0 // what literals before a match cost beyond what bytes do
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

// skips reports whether to pass over ip, as no match has begun for long at
// this place in an item: one in four is looked at, without a period that the
// items of some size would be in step with.
func (w *itemFinder) skips(ip int) bool {
	const many = 64
	return w.misses[ip%phases] > many && w.effort.Values && uint32(ip/phases)*0x9e3779b1>>30 != 0
}

// run returns how many bytes from ip on are like the one before.
func run(src []byte, ip int) int {
	x := mem.Load64(src, ip) ^ mem.Load64(src, ip-1)
	if x != 0 {
		return bits.TrailingZeros64(x) >> 3
	}
	return 8 + lz77.CommonPrefix(src, ip+8, ip+7, len(src))
}

// passRun links the ends of a run.
func (w *itemFinder) passRun(src []byte, from, to int) {
	w.link(src, from+1)
	w.next = max(w.next, to-linkLast)
}

// best returns the match at ip that saves the most, were every byte as costly
// as they are on average: what it does not cover may be covered by the next
// one.
func (w *itemFinder) best(src []byte, ip, depth int) match {
	p := &w.prices
	m := match{gain: -1 << 30}
	for _, c := range w.candidates(src, ip, depth) {
		gain := c.length*p.byte - p.match(c.length, c.distance)
		least := m.gain
		if m.length > 0 {
			least -= p.left(src, ip+m.length, ip+c.length)
		}
		if gain > least {
			m = match{c.length, c.distance, gain}
		}
	}
	return m
}

// link links the positions before to.
func (w *itemFinder) link(src []byte, to int) {
	keyShift, fewShift, headShift := w.keyShift, w.fewShift, w.headShift
	for i := w.next; i < to; i++ {
		x := mem.Load64(src, i)
		h := keyHash(x, keyShift, headShift)
		w.before[i&(ring-1)] = w.head[h]
		w.head[h] = uint16(i)
		w.last3[shortHash(uint32(x))] = uint16(i)
		if fewShift > 0 {
			l := &w.last[fewHash(x, fewShift)]
			*l = *l<<16 | uint32(uint16(i))
		}
	}
	w.next = max(w.next, to)
}

func keyHash(x uint64, shift, headShift uint) uint64 {
	return x << (shift & 63) * prime >> (headShift & 63) % (1 << headBits)
}

func fewHash(x uint64, shift uint) uint64 { return x << (shift & 63) * prime >> (64 - fewBits) }

// candidates links all positions up to ip and returns the matches there, of
// which depth are compared along the chain. They are good until the next call.
func (w *itemFinder) candidates(src []byte, ip, depth int) []candidate {
	w.link(src, ip)
	w.next = ip + 1
	x := mem.Load64(src, ip)
	limit := min(len(src), ip+maxMatch)
	farthest := uint32(min(ip, maxDistance))
	n, best := 0, minMatch-1

	last := &w.last3[shortHash(uint32(x))]
	d := uint32(uint16(ip) - *last)
	*last = uint16(ip)
	if d-1 < farthest && (mem.Load64(src, ip-int(d))^x)<<(64-8*minMatch) == 0 {
		if l := common(src, ip, int(d), limit, x); l > best {
			best = l
			w.found[n] = candidate{l, int(d - 1)}
			n++
		}
	}
	if w.fewShift > 0 {
		last := &w.last[fewHash(x, w.fewShift)]
		places := *last
		*last = places<<16 | uint32(uint16(ip))
		for range 2 {
			d := uint32(uint16(ip) - uint16(places))
			places >>= 16
			if d-1 < farthest && (mem.Load64(src, ip-int(d))^x)<<(w.fewShift&63) == 0 {
				if l := common(src, ip, int(d), limit, x); l > best {
					best = l
					w.found[n] = candidate{l, int(d - 1)}
					n++
				}
			}
		}
	}
	h := keyHash(x, w.keyShift, w.headShift)
	d = uint32(uint16(ip) - w.head[h])
	w.before[ip&(ring-1)] = w.head[h]
	w.head[h] = uint16(ip)

	best = max(best, chainKey-1)
	if ip+best >= limit || best >= w.effort.Nice {
		return w.found[:n]
	}
	after := mem.Load32(src, ip+best-3) // the last bytes of a match that is longer
	for nearer := uint32(0); depth > 0 && d > nearer && d <= farthest; depth-- {
		ref := ip - int(d)
		if mem.Load32(src, ref+best-3) == after {
			if l := common(src, ip, int(d), limit, x); l > best {
				best = l
				w.found[n] = candidate{l, int(d - 1)}
				n++
				if l >= w.effort.Nice || ip+l >= limit {
					break
				}
				after = mem.Load32(src, ip+best-3)
			}
		}
		nearer = d
		d = uint32(uint16(ip) - w.before[ref&(ring-1)])
	}
	return w.found[:n]
}

// common returns how many bytes from ip on, where the word x is, are equal to
// those distance bytes before.
func common(src []byte, ip, distance, limit int, x uint64) int {
	if x ^= mem.Load64(src, ip-distance); x != 0 {
		return min(bits.TrailingZeros64(x)>>3, limit-ip)
	}
	return 8 + lz77.CommonPrefix(src, ip+8, ip+8-distance, limit)
}
