package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// A searcher looks for matches in an input, in rows.
type searcher interface {
	// seek searches from ip up to limit for a position with a repetition, and
	// reports whether there is one. Its steps grow while it finds nothing.
	seek(src []byte, ip, anchor, limit, to int) bool
	// search finds the longest match at ip, and the nearest if there are several.
	search(src []byte, ip, to int)
	state() *look
}

// A look holds the query to a searcher and its result. The assembly depends on its
// layout.
type look struct {
	rep    int // the distance that may be repeated, 0 for none
	greedy bool

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

// maxLinked is the largest step at which all skipped positions are entered in rows. Where
// steps are larger, data repeat too little for it to pay.
const maxLinked = 4

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
		l.rep = f.rep[0]
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
			if rows != nil {
				searchRows16(rows, src, at, to)
			} else {
				s.search(src, at, to)
			}
			if e.Far {
				f.far.improve(l, src, at, to)
			}
			if n := (match{at, l.length, l.distance + RepeatCodes}); l.length >= MinMatch && n.worth(4) > m.worth(4)+patience {
				m, ahead = n, 0
			}
		}
		if m.off > RepeatCodes {
			distance := m.off - RepeatCodes
			for m.start > anchor && m.start > distance && src[m.start-1] == src[m.start-1-distance] {
				m.start--
				m.length++
			}
			f.rep = [2]int{distance, f.rep[0]}
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
