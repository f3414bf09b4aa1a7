package zstd

import (
	"encoding/binary"
	"math/bits"
)

// An entry describes a state of the decoder for one kind of symbols: the meaning of its
// symbol, and how to find the next state. From the lowest bits:
//
//	 8  64 less all bits that an offset or a next length takes
//	 8  a length that is short, or how many bits an offset takes
//	 8  how many bits are added for the next state
//	 5  how many bits any value takes
//	 1  none
//	 2  a number, 1 where the fast loop must look closer
//	 2  none
//	17  a length's base
//	 3  none
//	10  of the next state
//
// The fast loop adds entries: the first of these fields, and those of one and two
// bits, are made for that.
type entry uint64

func (e entry) bits() uint8  { return uint8(e >> 16) }
func (e entry) extra() uint8 { return uint8(e>>24) & 31 }
func (e entry) base() uint32 { return uint32(e>>34) & (1<<17 - 1) }
func (e entry) next() uint16 { return uint16(e >> 54) }

// wide marks entries for which the fast loop needs further checks.
const wide entry = 1 << 30

// state returns the entry of a state of the symbol with entry e, with the given
// number of bits to the next state.
func (e entry) state(bits, next uint32) entry {
	return e + entry(bits)*(1<<16-1) + entry(next)<<54
}

// length returns the entry, without a state, of a symbol for lengths from base. In
// the fast loop a copy has at most short bytes.
func length(base uint32, extra uint8, short uint32) entry {
	e := entry(base)<<34 | entry(extra)<<24 | 64
	if extra > 0 || base > short {
		return e | wide
	}
	return e | entry(base)<<8
}

// distance returns the entry, without a state, of a symbol for offsets with the
// given number of bits after the highest.
func distance(extra uint8) entry {
	e := entry(extra)<<24 | entry(extra)<<8 | entry(64-extra)
	if extra > longOffset {
		e |= wide
	}
	return e
}

// These constants bound what the fast loop does without further checks: it copies one
// word of 16 bytes for literals and four words of 8 bytes for a match, and takes the bits
// of an offset from the same word as those of the next states.
const (
	shortLiterals = 16
	shortMatch    = 32
	longOffset    = 25
)

// A decodeTable is one of the three tables of a block. It is kept for blocks that
// repeat it.
type decodeTable struct {
	entries [1 << 9]entry
	log     uint // 0 for a single symbol
}

// values returns the base and the extra bits of every symbol of a kind of lengths.
func values(extra []uint8, base, short uint32) []entry {
	e := make([]entry, len(extra))
	for s, b := range extra {
		e[s] = length(base, b, short)
		base += 1 << b
	}
	return e
}

// build makes the table for normalised counts (RFC 8878, 4.1.1) of symbols with the
// given values.
func (t *decodeTable) build(norm []int16, log uint, values []entry) {
	size := 1 << log
	var at [1 << 9]uint8 // the symbol of each state
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
		t.entries[u&511] = symbols[s].state(b, n<<(b&15)-uint32(size))
	}
	t.log = log
}

// spread assigns a symbol to each of size states (RFC 8878, 4.1.1): symbols with a count
// of less than one get the last states, and the other symbols are spread in steps over
// the other states.
func spread(at *[1 << 9]uint8, norm []int16, size int) {
	high := size - 1
	for s, n := range norm {
		if n == -1 {
			at[high&511] = uint8(s)
			high--
		}
	}
	// First write the symbols one after the other, in words of eight bytes, of
	// which any number may be overwritten.
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

// readCounts reads an FSE_Table_Description (RFC 8878, 4.1.1), which holds
// normalised counts, from the beginning of b, and returns the number of its bytes,
// or 0 if it is invalid.
func readCounts(norm []int16, b []byte, maxLog uint) (symbols int, log uint, n int) {
	if len(b) == 0 {
		return 0, 0, 0
	}
	log = uint(b[0]&15) + 5 // Accuracy_Log
	if log > maxLog {
		return 0, 0, 0
	}
	at := uint(4) // position in bits
	remaining, threshold, width := 1<<log+1, 1<<log, log+1
	for remaining > 1 {
		if symbols >= len(norm) || at > uint(len(b))*8 {
			return 0, 0, 0
		}
		// A count, plus one, has as many bits as the remainder needs, or one less.
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
		remaining -= states(count)
		norm[symbols] = int16(count)
		symbols++
		for remaining < threshold {
			width--
			threshold >>= 1
		}
		// After a count of 0, fields of two bits hold the number of further zeros.
		for more := uint64(3); count == 0 && more == 3; {
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

// peek returns at least 57 bits at a position in b; after its end they are zeros.
func peek(b []byte, at uint) uint64 {
	var w [8]byte
	if i := int(at / 8); i < len(b) {
		copy(w[:], b[i:])
	}
	return binary.LittleEndian.Uint64(w[:]) >> (at % 8)
}
