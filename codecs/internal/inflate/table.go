package inflate

import (
	"math/bits"
	"slices"
	"sync"
)

// An entry says what a Huffman code means.
//
//	bits 0–3    bits of the code, or of what of it is not in the first table
//	bits 4–7    extra bits that follow it; for a link, bits of the second table
//	bits 8–10   kind
//	bits 16–31  literal, or smallest length or distance; for a link, its place
type entry uint32

const (
	literal = iota << 8
	match   // a length, or a distance
	end     // of the block
	link    // to a second table
	invalid

	kindMask = 7 << 8
	maxBits  = 15 // of a code
)

func (e entry) bits() uint  { return uint(e & 15) }
func (e entry) extra() uint { return uint(e >> 4 & 15) }
func (e entry) value() int  { return int(e >> 16) }

// A table maps the next bits of the stream to entries: in a first table of
// 1<<first, and where codes are longer in second ones behind it.
type table struct {
	entries []entry
	first   uint
}

// build makes the table of the codes whose lengths are given; symbols says
// what each of them means. It gives false for lengths that are no complete
// code, of which a single code of one bit is allowed.
func (t *table) build(lengths []uint8, symbols []entry, first uint) bool {
	var count [maxBits + 1]int
	longest := uint(0)
	for _, l := range lengths {
		count[l]++
		longest = max(longest, uint(l))
	}
	count[0] = 0
	var next [maxBits + 2]int // codes, then the next one of each length
	left := 1
	for l := 1; l <= maxBits; l++ {
		left = left<<1 - count[l]
		next[l+1] = (next[l] + count[l]) << 1
		if left < 0 {
			return false
		}
	}
	if left > 0 && (longest > 1 || count[1] != 1) {
		return false
	}
	t.first = min(first, max(longest, 1))
	size := 1 << t.first
	t.entries = slices.Grow(t.entries[:0], size)[:size]
	for i := range t.entries {
		t.entries[i] = invalid
	}
	for s, l := range lengths {
		if l == 0 {
			continue
		}
		n := uint(l)
		code := int(bits.Reverse16(uint16(next[l])) >> (16 - n))
		next[l]++
		if n <= t.first {
			for i := code; i < size; i += 1 << n {
				t.entries[i] = symbols[s] | entry(n)
			}
			continue
		}
		// A second table for all codes that begin with these bits. It is as
		// large as the longest code needs, which is simple and good enough.
		low, more := code&(size-1), longest-t.first
		if t.entries[low]&kindMask != link {
			at := len(t.entries)
			t.entries[low] = link | entry(t.first) | entry(more)<<4 | entry(at)<<16
			for range 1 << more {
				t.entries = append(t.entries, invalid)
			}
		}
		second := t.entries[t.entries[low].value():][:1<<more]
		for i := code >> t.first; i < len(second); i += 1 << (n - t.first) {
			second[i] = symbols[s] | entry(n-t.first)
		}
	}
	return true
}

// What the symbols mean (RFC 1951, 3.2.5).
var (
	literalSymbols  [288]entry
	distanceSymbols [32]entry
	lengthSymbols   [19]entry // of code lengths

	fixedLiterals, fixedDistances table
)

const (
	literalBits  = 11
	distanceBits = 9
	lengthBits   = 7
)

// makeTables makes them at the first use: a process that has none needs not
// wait for it.
var makeTables = sync.OnceFunc(func() {
	for i := range literalSymbols {
		literalSymbols[i] = invalid
	}
	for i := range 256 {
		literalSymbols[i] = literal | entry(i)<<16
	}
	literalSymbols[256] = end
	base := 3
	for i := range 28 {
		extra := max(i/4-1, 0)
		literalSymbols[257+i] = match | entry(extra)<<4 | entry(base)<<16
		base += 1 << extra
	}
	literalSymbols[285] = match | entry(258)<<16
	base = 1
	for i := range distanceSymbols {
		distanceSymbols[i] = invalid
		if i < 30 {
			extra := max(i/2-1, 0)
			distanceSymbols[i] = match | entry(extra)<<4 | entry(base)<<16
			base += 1 << extra
		}
	}
	for i := range lengthSymbols {
		lengthSymbols[i] = literal | entry(i)<<16
	}
	var lengths [288]uint8
	for i := range lengths {
		lengths[i] = 8
		if i >= 144 && i < 256 {
			lengths[i] = 9
		} else if i >= 256 && i < 280 {
			lengths[i] = 7
		}
	}
	fixedLiterals.build(lengths[:], literalSymbols[:], literalBits)
	for i := range 32 {
		lengths[i] = 5
	}
	fixedDistances.build(lengths[:32], distanceSymbols[:], distanceBits)
})
