package blosclz

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

type position interface{ uint16 | uint32 }

// A table holds the last position of each word of four bytes, or of another word
// with the same hash. A word that has not occurred has position 0.
type table[P position] struct {
	at    [1 << 14]P
	shift uint8 // right shift that extracts a hash from a product
	asm   assembly[P]
}

// An assembly holds the kernels for tables of one width, or nil.
type assembly[P position] struct {
	search func(at *P, shift uint8, src []byte, i, limit, minFar int, deep bool, found []match) (n, next int)
	write  func(at *P, shift uint8, dst, src []byte, op, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int)
}

var (
	assembly16 assembly[uint16]
	assembly32 assembly[uint32]
)

// search does what searchGeneric does, in assembly if available.
func (t *table[P]) search(src []byte, i, limit, minFar int, deep bool, found []match) (n, next int) {
	if t.asm.search != nil {
		return t.asm.search(&t.at[0], t.shift, src, i, limit, minFar, deep, found)
	}
	return t.searchGeneric(src, i, limit, minFar, deep, found)
}

// write searches with minFarLength as search does, and may encode the matches that it
// finds, from anchor on. It returns in found the last n matches, which are not encoded.
// written is the new op, and literals the new anchor. There must be writeRoom bytes of
// src after the limit, and as many in dst.
func (t *table[P]) write(dst []byte, op int, src []byte, anchor, i, limit int, deep bool, found []match) (n, next, written, literals int) {
	if t.asm.write != nil {
		return t.asm.write(&t.at[0], t.shift, dst, src, op, anchor, i, limit, deep, found)
	}
	n, next = t.searchGeneric(src, i, limit, minFarLength, deep, found)
	return n, next, op, anchor
}

func (t *table[P]) reset(hashBits uint8) {
	clear(t.at[:1<<hashBits])
	t.shift = 32 - hashBits
}

func (t *table[P]) hash(w uint32) uint32 { return w * 2654435761 >> (t.shift & 31) & (1<<14 - 1) }

// A match is a range of bytes, from at to end, that equal the bytes distance earlier. A
// few bytes after end, which are not part of the coded match, are equal too.
type match struct{ at, end, distance uint32 }

// searchGeneric enters the words of src[i:limit] into the table and looks each of
// them up. It writes worthwhile matches to found until that is full: far ones must
// have minFar bytes, others minMatchLength. It returns their number, and the
// position at which to continue, which is below the limit only if found is full.
// The limit is at least trailingInput bytes before the end of src.
//
// For each match it enters the word at its end and, if deep is set, another one.
func (t *table[P]) searchGeneric(src []byte, i, limit, minFar int, deep bool, found []match) (n, next int) {
	for i < limit {
		w := mem.Load64(src, i)
		h := t.hash(uint32(w))
		ref := int(t.at[h])
		t.at[h] = P(i)
		d := i - ref
		// In a match of minMatchLength, seven bytes are equal: three besides the word.
		if (mem.Load64(src, ref)^w)<<8 != 0 || d == 0 || d >= farDistance {
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

// matchEnd compares src[i:] with src[i-distance:]; the first seven bytes are known
// to be equal. It returns the position after the first byte that differs or, if
// none before the last byte of src differs, the position of that byte.
func matchEnd(src []byte, i, distance int) int {
	bound := len(src) - 1
	i += 7
	return min(i+lz77.CommonPrefix(src, i, i-distance, bound)+1, bound)
}
