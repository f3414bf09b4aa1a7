package blosclz

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

type position interface{ uint16 | uint32 }

// A table remembers the last place where a word of four bytes stood, or
// another word of the same hash. A word that never was is said to be at 0.
type table[P position] struct {
	at    [1 << 14]P
	shift uint8 // of the hash
}

func (t *table[P]) reset(hashBits uint8) {
	clear(t.at[:1<<hashBits])
	t.shift = 32 - hashBits
}

func (t *table[P]) hash(w uint32) uint32 { return w * 2654435761 >> (t.shift & 31) & (1<<14 - 1) }

// put remembers the word at src[i:].
func (t *table[P]) put(src []byte, i int) { t.at[t.hash(mem.Load32(src, i))] = P(i) }

// putNext remembers i+1 under a hash that C-Blosc2 makes of three of the four
// bytes there.
func (t *table[P]) putNext(src []byte, i int) { t.at[t.hash(mem.Load32(src, i)>>8)] = P(i + 1) }

// search remembers the words from src[i:] on and looks each of them up, until
// one begins a match that is worth it: at, distance and the end of what is
// coded of it. Where the limit comes first, at is that, or what the search
// began with if that lay behind. Far matches must be longer than others.
func (t *table[P]) search(src []byte, i, limit, minFar int) (at, distance, end int) {
	for ; i < limit; i++ {
		w := mem.Load32(src, i)
		h := t.hash(w)
		ref := int(t.at[h])
		t.at[h] = P(i)
		if mem.Load32(src, ref) != w {
			continue
		}
		d := i - ref
		if d == 0 || d >= farDistance {
			continue
		}
		end := matchEnd(src, i, d) - matchShift
		if n := end - i; n >= minMatchLength && (n >= minFar || d <= nearDistance) {
			return i, d, end
		}
	}
	return i, 0, 0
}

// matchEnd compares src[i:] with src[i-distance:], of which the first four
// bytes are known to be equal, and gives the place behind the first byte that
// differs; or the last byte of src, where no byte before that differs.
func matchEnd(src []byte, i, distance int) int {
	bound := len(src) - 1
	i += 4
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
