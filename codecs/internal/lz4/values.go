package lz4

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// A ValuesEncoder searches for repetitions of whole words of 8 bytes, such as the
// items of unfiltered data. The zero value is ready. It is for one goroutine at a
// time.
type ValuesEncoder struct {
	values lz77.Values[uint16]
	deep   *lz77.DeepValues
	cover  cover // not a local variable, because that would escape to the heap
}

const (
	wordSize = lz77.ValueSize
	window   = maxDistance / wordSize
)

// Encode compresses src into dst and returns the number of bytes. It keeps neither slice.
// ok is false if src, or its beginning, does not consist of words that repeat, or if dst
// is too short.
func (e *ValuesEncoder) Encode(dst, src []byte) (n int, ok bool) {
	// Matches must not extend to the last words, but searches read these words.
	end := (len(src)-searchEnd)/wordSize - 3
	if end < lz77.LeastWords || lz77.Runs(src) || !e.values.Promising(src, window) {
		return 0, false
	}
	oneBits, twoBits := valueTables(len(src))
	e.values.Reset(end, oneBits, twoBits)
	c := &e.cover
	*c = cover{}
	for from := 0; from < end; from += len(e.values.Repeats) {
		to := min(from+len(e.values.Repeats), end)
		repeats := e.values.Repeats[:to-from]
		e.values.Scan(repeats, src, from, window)
		if !e.values.Suits(src, from, repeats) {
			return 0, false
		}
		if !hasRoom(len(dst)-c.op, (to-c.anchor)*wordSize, 0) || !put(c, dst, src, repeats, from, end) {
			return 0, false
		}
	}
	n = putLiterals(dst, src[c.anchor*wordSize:], c.op)
	return n, n > 0 && 3*c.unlike <= end
}

// A cover records how far sequences cover the words of an input. The assembly depends
// on its layout.
type cover struct {
	op     int // position in the output
	anchor int // the first word that no sequence covers
	at     int // the current word
	unlike int // number of words that are not repeated
}

// put does what putGeneric does, in assembly if available.
var put = (*cover).putGeneric

// putGeneric writes sequences for the repeated words, beginning with word from;
// matches end before word end. ok is false if there is too little room.
func (c *cover) putGeneric(dst, src []byte, repeats []lz77.Repeat, from, end int) (ok bool) {
	for to := from + len(repeats); c.at < to; {
		r := repeats[c.at-from]
		n, d := r.Words(), r.Distance()
		switch {
		case n == 0:
			c.unlike++
			c.at++
			continue
		case c.at == c.anchor && n < lz77.MostRepeated:
			// Most sequences are matches of one to three words without literals: a
			// token, a distance and, for three words, the rest of the length.
			length := n*wordSize - minMatch
			more := length / 15
			mem.Store64(dst, c.op, uint64(d*(wordSize<<8)|min(length, 15)|(length-15*more)*more<<24))
			c.op += 3 + more
		default:
			n = lz77.Length(src, c.at, d, n, end)
			if c.op = putValues(dst, c.op, src, c.anchor, c.at, d, n); c.op == 0 {
				return false
			}
		}
		c.at += n
		c.anchor = c.at
	}
	return true
}

// hasRoom reports whether n bytes suffice for the given number of bytes of literals
// or sequences and a match, including bytes that may be written after them.
func hasRoom(n, literals, match int) bool { return literals+literals>>7+match>>7+32 <= n }

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

// valueTables returns the sizes of the tables for an input of n bytes. Larger
// ones forget less of the window, but have to be cleared.
func valueTables(n int) (oneBits, twoBits uint) {
	switch {
	case n < 128<<10:
		return 13, 14
	case n < 512<<10:
		return 15, 16
	}
	return 16, 17
}
