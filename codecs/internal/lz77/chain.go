package lz77

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

type position interface{ uint16 | uint32 }

// A Chain links the positions of an input whose first bytes have the same hash, the
// last one first. It stores positions modulo 1<<16 or 1<<32, so one may be stale;
// it is compared like any other. An empty table holds position 0.
type Chain[P position] struct {
	head   []P // the last position of each hash
	before []P // for each position in the window the previous one
	mask   int // mask of indices of before
	factor uint64
	shift  uint // extracts the bits of a hash from a product

	Next int // the first position that is not linked
}

// KeyOf returns the factor for a hash of 4 to 8 bytes.
func KeyOf(bytes int) uint64 { return prime1 << (64 - 8*bytes) }

// Reset begins an input of n bytes, in which matches reach back less than window. A
// hash has hashBits bits. It depends on the bytes that affect the highest bits of
// the product with factor: a factor shifted left by 32 is for 4 bytes.
func (c *Chain[P]) Reset(n, window int, factor uint64, hashBits uint) {
	c.factor, c.shift = factor, 64-hashBits
	c.head = room.Zeros(c.head, 1<<hashBits)
	c.mask = -1
	if window <= n {
		c.mask = window - 1
		c.before = room.Zeros(c.before, window)
	} else {
		c.before = room.Resize(c.before, n+1) // not cleared, because only entries that were written are read
	}
	c.Next = 0
}

// SetKey sets the factor for the next positions. Those that were linked with another one are
// found by chance, if at all.
func (c *Chain[P]) SetKey(factor uint64) { c.factor = factor }

// Skip omits the positions before ip that are not linked yet.
func (c *Chain[P]) Skip(ip int) { c.Next = max(c.Next, ip) }

// Link links the positions before to. At least eight bytes must follow each.
func (c *Chain[P]) Link(src []byte, to int) {
	head, before, mask, factor, shift := c.head, c.before, c.mask, c.factor, c.shift&63
	for i := c.Next; i < to; i++ { // like Enter, with everything in registers
		h := mem.Load64(src, i) * factor >> shift
		before[(i+1)&mask] = head[h]
		head[h] = P(i + 1)
	}
	c.Next = max(c.Next, to)
}

// Enter links position i, which holds the word x, and returns the last earlier position
// with the same hash, plus one, or 0 for none, modulo 1<<16 or 1<<32. Each caller has its
// own loop along a chain: with one function for all callers, encoding took 10 to 20 %
// longer.
func (c *Chain[P]) Enter(x uint64, i int) P {
	head := &c.head[x*c.factor>>(c.shift&63)]
	last := *head
	c.before[(i+1)&c.mask] = last
	*head = P(i + 1)
	return last
}

// Last returns what Enter would return, without linking the position.
func (c *Chain[P]) Last(x uint64) P { return c.head[x*c.factor>>(c.shift&63)] }

// Before returns the table of previous positions and the mask of its indices. The
// position that precedes one returned by Enter is at the index of the latter, if it
// is within the window.
func (c *Chain[P]) Before() (before []P, mask int) { return c.before, c.mask }
