package zstd

import (
	"encoding/binary"
	"math/bits"
)

// An entry is a state of the decoder of one kind of symbols: what the symbol
// means, and how the next state is found.
type entry struct {
	base  uint32 // of the value
	next  uint16 // state, plus what the bits say
	bits  uint8  // to read for the state
	extra uint8  // to read for the value
}

// A decodeTable is one of the three of a block. It stays for blocks that
// repeat it.
type decodeTable struct {
	entries [1 << 9]entry
	log     uint // 0 for a single symbol
}

// values gives base and extra bits of every symbol of a kind of lengths.
func values(extra []uint8, base uint32) []entry {
	e := make([]entry, len(extra))
	for s, b := range extra {
		e[s] = entry{base: base, extra: b}
		base += 1 << b
	}
	return e
}

// build makes the table of normalised counts (RFC 8878, 4.1.1).
func (t *decodeTable) build(norm []int16, log uint, values []entry) {
	size := 1 << log
	var next [maxSymbols]uint16
	var at [1 << 9]uint8
	high := size - 1
	for s, n := range norm {
		next[s] = uint16(max(n, 1))
		if n == -1 {
			at[high] = uint8(s)
			high--
		}
	}
	step, mask, i := size>>1+size>>3+3, size-1, 0
	for s, n := range norm {
		for range n {
			at[i] = uint8(s)
			for i = (i + step) & mask; i > high; {
				i = (i + step) & mask
			}
		}
	}
	for u := range size {
		s := at[u]
		n := next[s]
		next[s]++
		b := uint8(log) - uint8(bits.Len16(n)-1)
		t.entries[u] = entry{values[s].base, n<<b - uint16(size), b, values[s].extra}
	}
	t.log = log
}

// single makes the table of one symbol, which takes no bits.
func (t *decodeTable) single(e entry) {
	t.entries[0] = e
	t.log = 0
}

// readCounts reads normalised counts from the beginning of b, and gives how
// many bytes they take; 0 for what is none.
func readCounts(norm []int16, b []byte, maxLog uint) (symbols int, log uint, n int) {
	if len(b) == 0 {
		return 0, 0, 0
	}
	log = uint(b[0]&15) + 5
	if log > maxLog {
		return 0, 0, 0
	}
	at := uint(4) // in bits
	remaining, threshold, width := 1<<log+1, 1<<log, log+1
	for remaining > 1 {
		if symbols >= len(norm) || at > uint(len(b))*8 {
			return 0, 0, 0
		}
		w := int(peek(b, at))
		most := 2*threshold - 1 - remaining
		count := w & (threshold - 1)
		if count < most {
			at += width - 1
		} else {
			if count = w & (2*threshold - 1); count >= threshold {
				count -= most
			}
			at += width
		}
		count--
		if count < 0 {
			remaining--
		} else {
			remaining -= count
		}
		norm[symbols] = int16(count)
		symbols++
		for remaining < threshold {
			width--
			threshold >>= 1
		}
		for more := uint32(3); count == 0 && more == 3; {
			more = peek(b, at) & 3
			at += 2
			if symbols+int(more) > len(norm) || at > uint(len(b))*8 {
				return 0, 0, 0
			}
			for range more {
				norm[symbols] = 0
				symbols++
			}
		}
	}
	n = int(at+7) / 8
	if remaining != 1 || n > len(b) {
		return 0, 0, 0
	}
	return symbols, log, n
}

// peek gives at least 16 bits from a place of b; behind its end are zeros.
func peek(b []byte, at uint) uint32 {
	var w [4]byte
	if i := int(at / 8); i < len(b) {
		copy(w[:], b[i:])
	}
	return binary.LittleEndian.Uint32(w[:]) >> (at % 8)
}
