package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// A searcher looks for matches in an input, in a Chain or in rows.
type searcher interface {
	// seek searches from ip up to limit for a position with a repetition, and
	// reports whether there is one. Its steps grow while it finds nothing.
	seek(src []byte, ip, anchor, limit, to int) bool
	// search finds the longest match at ip that is longer than least, and the nearest if
	// there are several. If there is none, it may find a shorter match.
	search(src []byte, ip, to, least int)
	state() *look
}

// goodLength is the length of a match beside which another is searched for only
// briefly. A search at full depth there took lz4hc 5 a quarter longer, for chunks
// 0.4 % smaller (19 files of measurements, text and programs).
const goodLength = 8

// A look holds the query to a searcher and its result. The assembly depends on its
// layout.
type look struct {
	rep    int // the distance that may be repeated, 0 for none
	greedy bool
	depth  int // number of candidates to compare; rows ignore it

	ip       int  // current position
	repeated bool // the four bytes after ip equal those at distance rep; if greedy is set, the fields below are 0
	length   int  // length of the match at ip, 0 if there is none
	distance int
}

// repeats reports whether the four bytes after ip equal those rep bytes earlier.
func (l *look) repeats(src []byte, ip int) bool {
	return l.rep > 0 && l.rep <= ip && mem.Load32(src, ip+1) == mem.Load32(src, ip+1-l.rep)
}

// Of the positions that a long match covers, only the first and last ones are linked,
// because the positions between are of little use.
const (
	longSkip  = 384
	skipFirst = 96
	skipLast  = 32
)

// maxLinked is the largest step at which all skipped positions are linked. Where steps
// are larger, data repeat too little for it to pay.
const maxLinked = 4

// A chain adapts a Chain to searcher.
type chain[P position] struct {
	Chain[P]
	look
	effort Effort
	ahead  P
}

func (c *chain[P]) state() *look { return &c.look }

// reset begins an input of n bytes. Its table of previous positions has all of them, even
// if the window is smaller: masking indices made lz4hc 1 take 3 % longer.
func (c *chain[P]) reset(n int) {
	// There are twice as many heads as positions: comparing words that only share a
	// hash takes longer than clearing the table.
	c.Reset(n, n+1, KeyOf4, min(max(uint(bits.Len(uint(n-1)))+1, 14), 17))
}

func (c *chain[P]) search(src []byte, ip, to, least int) {
	if c.Next < ip-longSkip {
		c.skipInside(src, ip)
	}
	for i := c.Next; i < ip; i++ { // not by Link: with the call, lz4hc 1 takes 3 % longer
		c.Enter(mem.Load64(src, i), i)
	}
	c.Next = ip + 1
	x := mem.Load64(src, ip)
	word, place := uint32(x), int(c.Enter(x, ip))
	c.ahead = c.Last(x >> 8) // load the entry of the next position, so that the next search need not wait for memory
	before, _ := c.Before()
	c.length, c.distance = 0, 0
	if ip+least >= to {
		return
	}
	longest, distance := least, 0
	end := mem.Load32(src, ip+longest-3) // the last bytes of a longer match
	oldest := max(0, ip-c.effort.Window)
	for n := c.depth; n > 0 && place > oldest; n-- {
		if mem.Load32(src, place-1+longest-3) == end && mem.Load32(src, place-1) == word {
			if l := 4 + CommonPrefix(src, ip+4, place-1+4, to); l > longest {
				longest, distance = l, ip+1-place
				if ip+l >= to {
					break
				}
				end = mem.Load32(src, ip+longest-3)
			}
		}
		place = int(mem.Index(before, place))
	}
	if distance > 0 {
		c.length, c.distance = longest, distance
	}
}

// skipInside links only the first and last positions of a long match that ends at ip.
func (c *chain[P]) skipInside(src []byte, ip int) {
	c.Link(src, c.Next+skipFirst)
	c.Next = ip - skipLast
}

func (c *chain[P]) seek(src []byte, ip, anchor, limit, to int) bool {
	for ip < limit {
		c.repeated, c.length = c.repeats(src, ip), 0
		if !c.repeated || !c.greedy {
			c.search(src, ip, to, MinMatch-1)
		}
		if c.repeated || c.length > 0 {
			c.ip = ip
			return true
		}
		step := 1 + (ip-anchor)>>8
		ip += step
		if step > maxLinked {
			c.Next = ip
		}
	}
	return false
}

// findLazy takes the current match unless one of the next positions has a better
// one. A repeated distance one byte later costs the least, and is tried first.
func (f *Finder) findLazy(s searcher, src []byte, from, to int, e Effort) {
	l := s.state()
	rows, _ := s.(*rows16) // rows are called directly, because through the interface zstd 3 to 5 took 4 % longer
	lazy := e.Lazy
	l.greedy = lazy == 0
	limit := to - tail
	anchor, ip := f.anchor, max(from, 1)
	base := anchor // the steps of the search grow after it
	for {
		l.rep, l.depth = f.rep[0], e.Depth
		found := false
		if rows != nil {
			found = seekRows16(rows, src, ip, base, limit, to)
		} else {
			found = s.seek(src, ip, base, limit, to)
		}
		if !found {
			break
		}
		m := match{start: l.ip + 1, off: 1}
		if l.repeated {
			m.length = extend(src, l.ip+1, l.ip+1-l.rep, to)
		}
		if e.Far {
			f.far.improve(l, src, l.ip, to)
		}
		if l.length > m.length {
			m = match{l.ip, l.length, l.distance + RepeatCodes}
		}
		if e.Literal > 0 && m.off > RepeatCodes && !saves(m.length, m.off-RepeatCodes, e.Literal) {
			ip = l.ip + 1
			base = ip
			continue
		}
		for at, ahead := l.ip, 1; ahead <= lazy && at+1 < limit; ahead++ {
			at++
			// A match that begins later must save more, because the bytes before it
			// become literals.
			perByte, patience := 3, 4
			if ahead == 2 {
				perByte, patience = 4, 7
			}
			if d := l.rep; d > 0 && d <= at && m.off != 1 && mem.Load32(src, at) == mem.Load32(src, at-d) {
				if n := (match{at, extend(src, at, at-d, to), 1}); n.worth(perByte) > m.worth(perByte)+1 {
					m = n
				}
			}
			least := MinMatch - 1
			if e.Flat {
				least = m.length + ahead - 1
				l.depth = e.Depth / 4
				if least >= goodLength {
					l.depth = e.Depth / 8
				}
			}
			if rows != nil {
				searchRows16(rows, src, at, to)
			} else {
				s.search(src, at, to, least)
			}
			if e.Far {
				f.far.improve(l, src, at, to)
			}
			if n := (match{at, l.length, l.distance + RepeatCodes}); l.length > least && (e.Flat || n.worth(4) > m.worth(4)+patience) {
				m, ahead = n, 0
			}
		}
		if m.off > RepeatCodes {
			distance := m.off - RepeatCodes
			for m.start > anchor && m.start > distance && src[m.start-1] == src[m.start-1-distance] {
				m.start--
				m.length++
			}
			if !e.Flat {
				f.rep = [2]int{distance, f.rep[0]}
			}
		}
		f.seqs = append(f.seqs, Seq{uint32(m.start - anchor), uint32(m.length), uint32(m.off)})
		ip = m.start + m.length
		anchor, base = ip, ip
		for d := f.rep[1]; d > 0 && d <= ip && ip < limit && mem.Load32(src, ip) == mem.Load32(src, ip-d); d = f.rep[1] {
			length := extend(src, ip, ip-d, to)
			f.rep[0], f.rep[1] = f.rep[1], f.rep[0]
			f.seqs = append(f.seqs, Seq{0, uint32(length), 1})
			ip += length
			anchor, base = ip, ip
		}
	}
}

type match struct{ start, length, off int }

// worth returns approximately what a match saves, in quarters of a byte.
func (m match) worth(perByte int) int { return m.length*perByte - bits.Len(uint(m.off)) }

// extend returns the length of a match, of which four bytes are known to be equal.
func extend(src []byte, ip, ref, to int) int { return 4 + CommonPrefix(src, ip+4, ref+4, to) }
