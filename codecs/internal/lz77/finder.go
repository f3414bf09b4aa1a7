// Package lz77 looks for repetitions in blocks of shuffled planes, for the
// codecs whose libraries look less far than C's: by hash chains and a lazy
// choice, as zstd's middle levels do, or fast, as its lowest.
package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// A Seq is some literals and the match that follows them. Off is 1 for the
// distance of the match before (or, without literals, the one before that),
// and the distance + RepeatCodes for any other: zstd's numbers.
type Seq struct{ Literals, Length, Off uint32 }

// RepeatCodes is what the distances in Seq.Off are raised by.
const RepeatCodes = 3

// MinMatch is the length of the shortest match.
const MinMatch = 4

// Effort is how hard to look.
type Effort struct {
	Depth     int  // candidates that are compared at a position; 0 for the fast search
	MinLength int  // of the matches of the fast search, 4 to 8
	Rows      int  // for inputs of at most 64 KiB: candidates of the search in rows, up to 16; 0 for chains
	Lazy      int  // positions ahead that are tried before a match is taken, 0 to 2
	Weigh     int  // for callers that take Seqs: how often to improve on them by what they cost, looking at Depth candidates
	Values    bool // words of 8 bytes at multiples of 8 may repeat as a whole

	ValueDepth int  // pairs of such words that are compared for each; 0 is one look at each
	FastDecode bool // with one look: sequences that are decoded sooner, and take a little more

	// Not for the fast search.
	Window   int  // largest distance, 0 for any
	NoRepeat bool // no repeated distances
	Flat     bool // all distances cost the same
}

// No match begins in the last bytes.
const tail = 8

// A Finder keeps the hash chains. The zero value is ready after Reset.
type Finder struct {
	chains16 chains[uint16] // for inputs of at most 64 KiB
	chains32 chains[uint32]
	rep      [2]int
	seqs     []Seq

	rows rows
	valueSearch

	begun  bool // whether something of the input was searched
	size   int  // of the input
	fast16 *[1 << fastBits]uint16
	fast32 *[1 << fastFarBits]uint32
}

// Reset begins a new input of n bytes.
func (f *Finder) Reset(n int) {
	f.size = n
	f.begun, f.found = false, false
	f.ofValues = false // Find may begin after a block that needed no search
	f.rep = [2]int{1, 4}
}

// Repeats returns the distances that the next sequence may repeat, and
// SetRepeats puts them back, where sequences were found that were not used.
func (f *Finder) Repeats() [2]int     { return f.rep }
func (f *Finder) SetRepeats(r [2]int) { f.rep = r }

// Find returns the sequences of src[from:to], which may refer to all before.
// What they do not cover of it is literals. The result is good until the next
// call.
func (f *Finder) Find(src []byte, from, to int, e Effort) []Seq {
	if e.Window == 0 {
		e.Window = len(src)
	}
	if e.NoRepeat {
		f.rep = [2]int{}
	}
	if e.Values && f.findValues(src, from, to, e) {
		return f.seqs
	}
	if e.Depth == 0 {
		f.fastFind(src, from, to, e)
		return f.seqs
	}
	if e.Rows > 0 && len(src) <= 1<<16 {
		if !f.begun {
			f.rows.reset(f.size)
		}
		f.begun = true
		f.findRows(src, from, to, e)
		return f.seqs
	}
	if len(src) <= 1<<16 {
		if !f.begun {
			f.chains16.reset(f.size)
		}
		f.begun = true
		f.chains16.effort = e
		find(f, &f.chains16, src, from, to)
	} else {
		if !f.begun {
			f.chains32.reset(f.size)
		}
		f.begun = true
		f.chains32.effort = e
		find(f, &f.chains32, src, from, to)
	}
	return f.seqs
}

func find[P position](f *Finder, c *chains[P], src []byte, from, to int) {
	e := &c.effort
	f.seqs = f.seqs[:0]
	limit := to - tail
	anchor, ip := from, max(from, 1)
	for ip < limit {
		// A repeated distance one byte further on costs the least.
		m := match{start: ip + 1, off: 1}
		if r := f.rep[0]; r > 0 && r <= ip && mem.Load32(src, ip+1) == mem.Load32(src, ip+1-r) {
			m.length = extend(src, ip+1, ip+1-r, to)
		}
		if m.length == 0 || e.Lazy > 0 {
			if length, distance := c.search(src, ip, to, max(m.length, MinMatch-1)); length > m.length {
				m = match{ip, length, distance + RepeatCodes}
			}
		}
		if m.length < MinMatch {
			step := 1 + (ip-anchor)>>8
			if step > maxLinked {
				c.next = ip + step
			}
			ip += step
			continue
		}
		if e.Lazy > 0 {
			m = better(c, &f.rep, src, m, ip, limit, to)
		}
		if m.off > RepeatCodes {
			distance := m.off - RepeatCodes
			for m.start > anchor && m.start > distance && src[m.start-1] == src[m.start-1-distance] {
				m.start--
				m.length++
			}
			if !e.NoRepeat {
				f.rep = [2]int{distance, f.rep[0]}
			}
		}
		f.seqs = append(f.seqs, Seq{uint32(m.start - anchor), uint32(m.length), uint32(m.off)})
		ip = m.start + m.length
		anchor = ip
		for r := f.rep[1]; r > 0 && r <= ip && ip < limit && mem.Load32(src, ip) == mem.Load32(src, ip-r); r = f.rep[1] {
			length := extend(src, ip, ip-r, to)
			f.rep[0], f.rep[1] = f.rep[1], f.rep[0]
			f.seqs = append(f.seqs, Seq{0, uint32(length), 1})
			ip += length
			anchor = ip
		}
	}
}

type match struct{ start, length, off int }

// worth is what a match saves, in quarters of a byte or so.
func (m match) worth(perByte int) int { return m.length*perByte - bits.Len(uint(m.off)) }

// better looks at the next positions for a match that is worth more than m.
func better[P position](c *chains[P], rep *[2]int, src []byte, m match, ip, limit, to int) match {
	e := &c.effort
	for ahead := 1; ahead <= e.Lazy && ip+1 < limit; {
		ip++
		// The further ahead, the more must be gained: what is skipped becomes
		// literals.
		perByte, patience := 3, 4
		if ahead == 2 {
			perByte, patience = 4, 7
		}
		if r := rep[0]; r > 0 && r <= ip && m.off != 1 && mem.Load32(src, ip) == mem.Load32(src, ip-r) {
			if n := (match{ip, extend(src, ip, ip-r, to), 1}); n.worth(perByte) > m.worth(perByte)+1 {
				m = n
			}
		}
		least := MinMatch - 1
		if e.Flat {
			least = m.length + ahead - 1
		}
		length, distance := c.search(src, ip, to, least)
		n := match{ip, length, distance + RepeatCodes}
		if length > 0 && (e.Flat || n.worth(4) > m.worth(4)+patience) {
			m, ahead = n, 0
		}
		ahead++
	}
	return m
}

// extend returns the length of a match of which four bytes are known.
func extend(src []byte, ip, ref, to int) int { return 4 + commonPrefix(src, ip+4, ref+4, to) }

// CommonPrefix returns how many bytes of src from ip on are the same as those
// from ref on, up to a place; ref is before ip.
func CommonPrefix(src []byte, ip, ref, to int) int { return commonPrefix(src, ip, ref, to) }

func commonPrefix(src []byte, ip, ref, to int) int {
	start := ip
	for ; ip <= to-8; ip, ref = ip+8, ref+8 {
		if x := mem.Load64(src, ip) ^ mem.Load64(src, ref); x != 0 {
			return ip - start + bits.TrailingZeros64(x)>>3
		}
	}
	for ip < to && src[ip] == src[ref] {
		ip, ref = ip+1, ref+1
	}
	return ip - start
}
