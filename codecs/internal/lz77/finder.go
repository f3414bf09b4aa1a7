// Package lz77 looks for repetitions in blocks of shuffled planes, for the
// codecs whose libraries look less far than C's. It searches hash chains and
// decides lazily, as zstd's middle levels do.
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
	Depth    int // candidates that are compared at a position
	Lazy     int // positions ahead that are tried before a match is taken, 0 to 2
	Window   int // largest distance, 0 for any
	MaxLen   int // longest match, 0 for any
	NoRepeat bool
}

const (
	hashBits = 15
	tail     = 8 // no match begins in the last bytes
)

// A Finder keeps the chains. The zero value is ready after Reset. Its memory
// is 128 KiB and four bytes for each byte of the longest input.
type Finder struct {
	head  [1 << hashBits]int32 // 1 + the last position of a hash, 0 for none
	chain []int32              // for each position the one before of the same hash, likewise
	next  int                  // first position that is not in the chains
	rep   [2]int
	seqs  []Seq
}

// Reset begins a new input of n bytes.
func (f *Finder) Reset(n int) {
	clear(f.head[:])
	if cap(f.chain) < n {
		f.chain = make([]int32, n)
	}
	f.chain = f.chain[:n]
	f.next = 0
	f.rep = [2]int{1, 4}
}

// Find gives the sequences of src[from:to], which may refer to all before. What
// they do not cover of it is literals. The result is good until the next call.
func (f *Finder) Find(src []byte, from, to int, e Effort) []Seq {
	f.seqs = f.seqs[:0]
	if e.Window == 0 {
		e.Window = len(src)
	}
	if e.MaxLen == 0 {
		e.MaxLen = len(src)
	}
	if e.NoRepeat {
		f.rep = [2]int{}
	}
	limit := to - tail
	anchor, ip := from, max(from, 1)
	for ip < limit {
		// A repeated distance one byte further on costs the least.
		m := match{start: ip + 1, off: 1}
		if r := f.rep[0]; r > 0 && r <= ip && mem.Load32(src, ip+1) == mem.Load32(src, ip+1-r) {
			m.length = f.extend(src, ip+1, ip+1-r, to, e.MaxLen)
		}
		if m.length == 0 || e.Lazy > 0 {
			if length, distance := f.search(src, ip, to, e); length > m.length {
				m = match{ip, length, distance + RepeatCodes}
			}
		}
		if m.length < MinMatch {
			ip += 1 + (ip-anchor)>>8
			continue
		}
		if e.Lazy > 0 {
			m = f.better(src, m, ip, limit, to, e)
		}
		if m.off > RepeatCodes {
			distance := m.off - RepeatCodes
			for m.start > anchor && m.start > distance && m.length < e.MaxLen && src[m.start-1] == src[m.start-1-distance] {
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
			length := f.extend(src, ip, ip-r, to, e.MaxLen)
			f.rep[0], f.rep[1] = f.rep[1], f.rep[0]
			f.seqs = append(f.seqs, Seq{0, uint32(length), 1})
			ip += length
			anchor = ip
		}
	}
	return f.seqs
}

type match struct{ start, length, off int }

// worth is what a match saves, in quarters of a byte or so.
func (m match) worth(perByte int) int { return m.length*perByte - bits.Len(uint(m.off)) }

// better looks at the next positions for a match that is worth more than m.
func (f *Finder) better(src []byte, m match, ip, limit, to int, e Effort) match {
	for ahead := 1; ahead <= e.Lazy && ip+1 < limit; {
		ip++
		// The further ahead, the more must be gained: what is skipped becomes
		// literals.
		perByte, patience := 3, 4
		if ahead == 2 {
			perByte, patience = 4, 7
		}
		if r := f.rep[0]; r > 0 && r <= ip && m.off != 1 && mem.Load32(src, ip) == mem.Load32(src, ip-r) {
			c := match{ip, f.extend(src, ip, ip-r, to, e.MaxLen), 1}
			if c.worth(perByte) > m.worth(perByte)+1 {
				m = c
			}
		}
		length, distance := f.search(src, ip, to, e)
		if c := (match{ip, length, distance + RepeatCodes}); length >= MinMatch && c.worth(4) > m.worth(4)+patience {
			m = c
			ahead = 1
			continue
		}
		ahead++
	}
	return m
}

// extend gives the length of a match of which four bytes are known.
func (f *Finder) extend(src []byte, ip, ref, to, most int) int {
	return min(4+commonPrefix(src, ip+4, ref+4, to), most)
}

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

func hash(w uint32) uint32 { return w * 2654435761 >> (32 - hashBits) }

// search puts all positions up to ip into the chains and gives the longest
// match there.
func (f *Finder) search(src []byte, ip, to int, e Effort) (length, distance int) {
	chain := f.chain
	for i := f.next; i <= ip; i++ {
		h := hash(mem.Load32(src, i))
		chain[i] = f.head[h]
		f.head[h] = int32(i + 1)
	}
	f.next = max(f.next, ip+1)

	length = MinMatch - 1
	word := mem.Load32(src, ip)
	oldest := max(0, ip-e.Window)
	for ref, n := int(chain[ip])-1, e.Depth; ref >= oldest && n > 0; ref, n = int(chain[ref])-1, n-1 {
		// Only a match that also has the byte behind the best is longer.
		if mem.Load32(src, ref+length-3) != mem.Load32(src, ip+length-3) || mem.Load32(src, ref) != word {
			continue
		}
		if l := 4 + commonPrefix(src, ip+4, ref+4, to); l > length {
			length, distance = l, ip-ref
			if ip+l >= to || l >= e.MaxLen {
				break
			}
		}
	}
	if distance == 0 {
		return 0, 0
	}
	return min(length, e.MaxLen), distance
}
