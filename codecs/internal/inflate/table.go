package inflate

import (
	"math/bits"
	"slices"
	"sync"
)

// An entry describes a Huffman code.
//
//	bits 0–3 bits of the code, or those after the first table's
//	bits 4–7    extra bits that follow it; for a link, bits of the second table
//	bits 8–10   kind
//	bits 16–31  literal, or smallest length or distance; for a link, its place
type entry uint32

const (
	literal = iota << 8
	match   // a length, or a distance
	end     // the end of the block
	link    // a link to a second table
	invalid

	kindMask = 7 << 8
	maxBits  = 15 // length of the longest code (RFC 1951, 3.2.7)
)

func (e entry) bits() uint  { return uint(e & 15) }
func (e entry) extra() uint { return uint(e >> 4 & 15) }
func (e entry) value() int  { return int(e >> 16) }

// A table maps the next bits of the stream to entries: in a first table of 1<<first
// entries and, for longer codes, in second tables after it.
type table struct {
	entries []entry
	first   uint
}

// build makes the table of the codes whose lengths are given; symbols holds
// their meanings. It returns false for lengths that do not make a complete
// code. A single code of one bit is allowed (3.2.7, for distances; zlib's
// decoder takes it for all).
func (t *table) build(lengths []uint8, symbols []entry, first uint) bool {
	// The codes of a length follow each other, in the order of the symbols (RFC
	// 1951, 3.2.2).
	var count [maxBits + 1]int
	for _, l := range lengths {
		count[l&maxBits]++
	}
	var place [maxBits + 2]int // index in sorted of the first symbol of each length
	left, longest := 1, uint(0)
	for l := 1; l <= maxBits; l++ {
		left = left<<1 - count[l]
		place[l+1] = place[l] + count[l]
		if left < 0 {
			return false
		}
		if count[l] > 0 {
			longest = uint(l)
		}
	}
	if left > 0 {
		if longest > 1 || count[1] != 1 {
			return false
		}
		t.first = 1
		t.entries = append(t.entries[:0], symbols[slices.Index(lengths, 1)]|1, invalid)
		return true
	}
	var sorted [512]uint16 // symbols sorted by the lengths of their codes
	for s, l := range lengths {
		if l != 0 {
			sorted[place[l&maxBits]&(len(sorted)-1)] = uint16(s)
			place[l&maxBits]++
		}
	}

	// The table for one more bit is the previous one twice, plus the codes of that
	// length. A complete code fills every entry.
	t.first = min(first, longest)
	size := 1 << t.first
	t.entries = slices.Grow(t.entries[:0], size)[:size]
	code, next := 0, 0
	for l := uint(1); l <= t.first; l++ {
		half := 1 << (l - 1)
		copy(t.entries[half:2*half], t.entries[:half])
		code <<= 1
		for range count[l] {
			t.entries[reverse(code, l)] = symbols[sorted[next&(len(sorted)-1)]] | entry(l)
			code++
			next++
		}
	}
	// Make a second table for each group of codes that begin with the same bits. All
	// second tables are as large as the longest code requires, which is simple and wastes
	// little.
	more := longest - t.first
	prefix := -1
	for l := t.first + 1; l <= longest; l++ {
		code <<= 1
		for range count[l] {
			low := reverse(code>>(l-t.first), t.first)
			if low != prefix {
				prefix = low
				at := len(t.entries)
				t.entries[low] = link | entry(t.first) | entry(more)<<4 | entry(at)<<16
				t.entries = slices.Grow(t.entries, 1<<more)[:at+1<<more]
			}
			second := t.entries[len(t.entries)-1<<more:]
			for i := reverse(code&(1<<(l-t.first)-1), l-t.first); i < len(second); i += 1 << (l - t.first) {
				second[i] = symbols[sorted[next&(len(sorted)-1)]] | entry(l-t.first)
			}
			code++
			next++
		}
	}
	return true
}

// reverse returns the n bits of a code in the order in which they are read.
func reverse(code int, n uint) int { return int(bits.Reverse16(uint16(code)) >> (16 - n)) }

// These are the meanings of symbols (RFC 1951, 3.2.5).
var (
	literalSymbols  [288]entry
	distanceSymbols [32]entry
	lengthSymbols   [19]entry // symbols of the code for code lengths

	fixedLiterals, fixedDistances table
)

const (
	literalBits  = 11
	distanceBits = 9
	lengthBits   = 7
)

// makeTables makes the tables on first use, so that they do not delay the start of a
// process.
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
	// These are the fixed codes (3.2.6).
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
