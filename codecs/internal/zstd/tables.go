package zstd

import (
	"encoding/binary"
	"math/bits"
)

// An entry is a state of the decoder of one kind of symbols: what the symbol
// means, and how the next state is found. From the lowest bits on: 32 of the
// value's base, 8 of how many bits are added for the next state, 8 of how many the
// value takes, 16 of the next state.
type entry uint64

func (e entry) base() uint32 { return uint32(e) }
func (e entry) next() uint16 { return uint16(e >> 48) }
func (e entry) bits() uint8  { return uint8(e >> 32) }
func (e entry) extra() uint8 { return uint8(e >> 40) }

// value is an entry that is no state yet.
func value(base uint32, extra uint8) entry { return entry(base) | entry(extra)<<40 }

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
		e[s] = value(base, b)
		base += 1 << b
	}
	return e
}

// build makes the table of normalised counts (RFC 8878, 4.1.1), of symbols
// that have values.
func (t *decodeTable) build(norm []int16, log uint, values []entry) {
	size := 1 << log
	var at [1 << 9]uint8 // symbol of each state
	spread(&at, norm, size)
	var next [64]uint32
	var symbols [64]entry
	for s, n := range norm {
		next[s&63] = uint32(max(n, 1))
		symbols[s&63] = values[s]
	}
	for u := range at[:size] {
		s := at[u] & 63
		n := next[s]
		next[s] = n + 1
		b := uint32(log) + 1 - uint32(bits.Len32(n))
		t.entries[u&511] = symbols[s] | entry(b)<<32 | entry(n<<(b&15)-uint32(size))<<48
	}
	t.log = log
}

// spread gives every one of size states its symbol: those that are rarer than
// once come last; the others take steps through the rest.
func spread(at *[1 << 9]uint8, norm []int16, size int) {
	high := size - 1
	for s, n := range norm {
		if n == -1 {
			at[high&511] = uint8(s)
			high--
		}
	}
	// One after the other first, by words of eight, which are written without
	// knowing how many of them count.
	var row [1<<9 + 8]byte
	n := 0
	for s, count := range norm {
		if count <= 0 {
			continue
		}
		w := uint64(s) * 0x0101010101010101
		for i := 0; i < int(count); i += 8 {
			binary.LittleEndian.PutUint64(row[(n+i)&511:], w)
		}
		n += int(count)
	}
	step, mask, i := size>>1+size>>3+3, size-1, 0
	if high == mask {
		for _, s := range row[:size] {
			at[i&511] = s
			i = (i + step) & mask
		}
		return
	}
	for _, s := range row[:high+1] {
		at[i&511] = s
		for i = (i + step) & mask; i > high; {
			i = (i + step) & mask
		}
	}
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
