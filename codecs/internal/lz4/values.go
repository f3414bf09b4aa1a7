package lz4

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// A ValuesEncoder looks for repetitions of whole words of 8 bytes, as items
// stand in data that no filter has moved. The zero value is ready. It belongs
// to one goroutine at a time.
type ValuesEncoder struct {
	values lz77.Values[uint16]
	deep   *lz77.DeepValues
}

const (
	wordSize = lz77.ValueSize
	window   = maxDistance / wordSize
)

// Encode compresses src into dst and gives the number of bytes. It keeps neither
// slice. ok is false where src is no such data, as far as its beginning shows or
// all of it, or there is too little room.
func (e *ValuesEncoder) Encode(dst, src []byte) (n int, ok bool) {
	// The last words are out of reach of matches, and looked at from others.
	end := (len(src)-searchEnd)/wordSize - 2
	if end < lz77.LeastWords {
		return 0, false
	}
	oneBits, twoBits := valueTables(len(src))
	e.values.Reset(end, oneBits, twoBits)
	op, anchor, i, unlike := 0, 0, 0, 0 // anchor and i count words
	for from := 0; from < end; from += len(e.values.Repeats) {
		to := min(from+len(e.values.Repeats), end)
		repeats := e.values.Repeats[:to-from]
		e.values.Scan(repeats, src, from, window)
		if !e.values.Suits(src, from, repeats) {
			return 0, false
		}
		if !room(len(dst)-op, (to-anchor)*wordSize) {
			return 0, false
		}
		for i < to {
			r := uint64(repeats[i-from])
			n := int(r & 3)
			if i == anchor && uint(n-1) < 2 {
				// Most sequences are of one or two words and no literals:
				// token and distance.
				mem.Store64(dst, op, r>>2*(wordSize<<8)|r&3*wordSize-minMatch)
				op += 3
				i += n
				anchor = i
				continue
			}
			if n == 0 {
				unlike++
				i++
				continue
			}
			d := int(r >> 2)
			n = lz77.Length(src, i, d, n, end)
			if op = putValues(dst, op, src, anchor, i, d, n); op == 0 {
				return 0, false
			}
			i += n
			anchor = i
		}
	}
	n = putLiterals(dst, src[anchor*wordSize:], op)
	return n, n > 0 && 3*unlike <= end
}

// room tells whether n bytes are enough for sequences of size bytes, whatever
// they are, with the 8 bytes that may be written too much.
func room(n, size int) bool { return size+size/255+32 <= n }

// putSequence writes a sequence, for which there is room.
func putSequence(dst []byte, op int, literals []byte, n, distance, length int) int {
	length -= minMatch
	dst[op] = byte(min(n, 15)<<4 | min(length, 15))
	op = putLength(dst, op+1, n)
	if n <= wordSize {
		mem.Store64(dst, op, mem.Load64(literals, 0))
	} else {
		copy(dst[op:], literals[:n])
	}
	op += n
	dst[op], dst[op+1] = byte(distance), byte(distance>>8)
	return putLength(dst, op+2, length)
}

// valueTables gives the sizes of the tables for an input of n bytes. Larger ones
// forget less of the window, but have to be cleared.
func valueTables(n int) (oneBits, twoBits uint) {
	switch {
	case n < 128<<10:
		return 13, 14
	case n < 512<<10:
		return 15, 16
	}
	return 16, 17
}
