package lizard

import (
	"encoding/binary"
	"math/bits"
)

const (
	minMatch  = 4
	minOffset = 8 // C copies 8 bytes at a time, so nearer matches would go wrong
	maxHash   = 15

	lz4Window = 1<<16 - 1
	lizWindow = 1<<22 - 1 // what the levels that Blosc used had
)

// A finder finds earlier places that the bytes at a place repeat: a hash table
// of the last place with the same first few bytes and, where more than one
// candidate is tried, a chain from each place to the one before.
type finder struct {
	src    []byte
	heads  [1 << maxHash]int32 // place + 1, 0 for none
	chain  []int32             // likewise
	drop   int                 // bits of a word that do not count
	shift  int                 // 64 less the bits of a hash
	next   int                 // first place that is not in the table
	tries  int
	window int
	far    int // from this offset on a match must have lizMinLongMatch bytes
}

// reset prepares for a new src. level decides on the effort and the window.
func (f *finder) reset(src []byte, level int) {
	f.src, f.next = src, 0
	hashBits := min(max(bits.Len(uint(len(src)))-1, 8), maxHash) // a small table is soon cleared
	clear(f.heads[:1<<hashBits])
	f.shift = 64 - hashBits
	f.tries, f.drop = 1<<(level%10), 32
	if f.tries == 1 {
		f.drop = 24
	}
	f.window, f.far = lizWindow, 1<<16
	if lz4Family(level) {
		f.window = lz4Window
	}
	if f.tries > 1 && cap(f.chain) < len(src) {
		f.chain = make([]int32, len(src))
	}
	f.chain = f.chain[:cap(f.chain)]
}

// hash hashes the bytes at a place: four, or five where there is one candidate
// only, which had better be a good one.
func (f *finder) hash(at int) uint64 {
	x := binary.LittleEndian.Uint64(f.src[at:])
	return x << f.drop * 0x9E3779B97F4A7C15 >> f.shift
}

// insert puts the places before end into the table, as far as they are not
// nearer to it than minOffset. Of a run of equal bytes it takes the beginning
// only: the other places would match just as much of a later run as is left of
// theirs, and hide the one that matches all.
func (f *finder) insert(end int) {
	for ; f.next <= end-minOffset; f.next++ {
		if f.next > 0 {
			if x := binary.LittleEndian.Uint64(f.src[f.next-1:]); uint32(x) == uint32(x>>8) {
				continue
			}
		}
		h := f.hash(f.next)
		if f.tries > 1 {
			f.chain[f.next] = f.heads[h]
		}
		f.heads[h] = int32(f.next) + 1
	}
}

// find returns the longest match at a place that is known to be at least
// minMatch bytes before end, and ends there at the latest; n is 0 where there
// is none.
func (f *finder) find(at, end int) (offset, n int) {
	f.insert(at)
	next := f.heads[f.hash(at)]
	for range f.tries {
		from := int(next) - 1
		if from < 0 || at-from > f.window {
			break
		}
		if k := f.common(at, from, end); k > n && k >= minMatch && (at-from < f.far || k >= lizMinLongMatch) {
			offset, n = at-from, k
		}
		if f.tries > 1 {
			next = f.chain[from]
		}
	}
	return offset, n
}

// common counts the bytes up to end that are the same at two places.
func (f *finder) common(at, from, end int) int {
	n := 0
	for at+n+8 <= end {
		x := binary.LittleEndian.Uint64(f.src[at+n:]) ^ binary.LittleEndian.Uint64(f.src[from+n:])
		if x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for at+n < end && f.src[at+n] == f.src[from+n] {
		n++
	}
	return n
}
