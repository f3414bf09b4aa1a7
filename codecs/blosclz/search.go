package blosclz

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

type position interface{ uint16 | uint32 }

// A table remembers the last place where a word of four bytes occurred, or
// another word of the same hash. A word that has not occurred has position 0.
type table[P position] struct {
	at    [1 << 14]P
	shift uint8 // of the hash
}

// A searcher is a table of any width.
type searcher interface {
	reset(hashBits uint8)

	// search is searchGeneric, in assembly if available.
	search(src []byte, i, limit, minFar int, deep bool, found []match) (n, next int)

	// write searches with minFarLength, and may encode src[anchor:] up to the
	// end of the last match but n, which it returns as search does. written is
	// op further on, and literals is anchor. It needs writeRoom bytes of src
	// after the limit, and as many in dst.
	write(dst []byte, op int, src []byte, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int)
}

// The assembly for tables of 16 and of 32 bits, nil if there is none.
var (
	search16 func(at *uint16, shift uint8, src []byte, i, limit, minFar int, deep bool, found []match) (n, next int)
	search32 func(at *uint32, shift uint8, src []byte, i, limit, minFar int, deep bool, found []match) (n, next int)
	write16  func(at *uint16, shift uint8, dst, src []byte, op, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int)
	write32  func(at *uint32, shift uint8, dst, src []byte, op, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int)
)

func (t *table[P]) search(src []byte, i, limit, minFar int, deep bool, found []match) (n, next int) {
	if search16 != nil {
		switch t := any(t).(type) {
		case *table[uint16]:
			return search16(&t.at[0], t.shift, src, i, limit, minFar, deep, found)
		case *table[uint32]:
			return search32(&t.at[0], t.shift, src, i, limit, minFar, deep, found)
		}
	}
	return t.searchGeneric(src, i, limit, minFar, deep, found)
}

func (t *table[P]) write(dst []byte, op int, src []byte, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int) {
	if write16 != nil {
		switch t := any(t).(type) {
		case *table[uint16]:
			return write16(&t.at[0], t.shift, dst, src, op, anchor, i, limit, deep, found)
		case *table[uint32]:
			return write32(&t.at[0], t.shift, dst, src, op, anchor, i, limit, deep, found)
		}
	}
	n, next = t.searchGeneric(src, i, limit, minFarLength, deep, found)
	return n, next, op, anchor
}

func (t *table[P]) reset(hashBits uint8) {
	clear(t.at[:1<<hashBits])
	t.shift = 32 - hashBits
}

func (t *table[P]) hash(w uint32) uint32 { return w * 2654435761 >> (t.shift & 31) & (1<<14 - 1) }

// A match says that the bytes from at to end, and a few more that are not coded, equal
// those distance bytes before.
type match struct{ at, end, distance uint32 }

// searchGeneric enters the words of src[i:limit] into the table and looks each
// of them up. It writes worthwhile matches to found until that is full: far
// ones must have minFar bytes, others minMatchLength. It returns their number,
// and where to continue, which is below the limit only if found is full. The
// limit is at least trailingInput bytes before the end of src.
//
// Of a match it enters the word at its end and, if deep, another.
func (t *table[P]) searchGeneric(src []byte, i, limit, minFar int, deep bool, found []match) (n, next int) {
	for i < limit {
		w := mem.Load64(src, i)
		h := t.hash(uint32(w))
		ref := int(t.at[h])
		t.at[h] = P(i)
		// A match of minMatchLength has that and three bytes more in common.
		if (mem.Load64(src, ref)^w)<<8 != 0 {
			i++
			continue
		}
		d := i - ref
		if d == 0 || d >= farDistance {
			i++
			continue
		}
		end := matchEnd(src, i, d) - matchShift
		if d > shortDistance && end-i < minFar {
			i++
			continue
		}
		found[n] = match{uint32(i), uint32(end), uint32(d)}
		t.at[t.hash(mem.Load32(src, end))] = P(end)
		if deep {
			// C-Blosc2 computes this hash from three of the four bytes there.
			t.at[t.hash(mem.Load32(src, end)>>8)] = P(end + 1)
		}
		i = end + 2
		if n++; n == len(found) {
			break
		}
	}
	return n, i
}

// matchEnd compares src[i:] with src[i-distance:], of which the first seven
// bytes are known to be equal, and returns the place after the first byte that
// differs; or the last byte of src, where no byte before that differs.
func matchEnd(src []byte, i, distance int) int {
	bound := len(src) - 1
	i += 7
	for ; i <= bound-8; i += 8 {
		if x := mem.Load64(src, i) ^ mem.Load64(src, i-distance); x != 0 {
			return i + bits.TrailingZeros64(x)>>3 + 1
		}
	}
	for ; i < bound; i++ {
		if src[i] != src[i-distance] {
			return i + 1
		}
	}
	return bound
}
