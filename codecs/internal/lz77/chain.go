package lz77

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

type position interface{ uint16 | uint32 }

// A Chain links the positions of an input whose first bytes have the same hash,
// the last one first. It stores positions of a window, modulo 1<<16 or 1<<32,
// so one may be stale: it is compared like any other. Place 0 is also what an
// empty table holds.
type Chain[P position] struct {
	head   []P // the last place of each hash
	before []P // for each place of the window the one before
	mask   int // of places in before
	factor uint64
	shift  uint // takes the bits of a hash from a product

	Next int // first place that is not linked
}

// KeyOf4 is the factor of a hash of 4 bytes.
const KeyOf4 = 2654435761 << 32

// Reset begins an input of n bytes, of which matches reach back less than
// window. A hash is of 1<<hashBits kinds, of the bytes whose product with factor
// reaches the highest bits: a factor shifted left by 32 is for 4 bytes.
func (c *Chain[P]) Reset(n, window int, factor uint64, hashBits uint) {
	c.factor, c.shift = factor, 64-hashBits
	c.head = cleared(c.head, 1<<hashBits)
	c.mask = -1
	if window <= n {
		c.mask = window - 1
		c.before = cleared(c.before, window)
	} else if c.before = c.before[:cap(c.before)]; len(c.before) <= n {
		c.before = make([]P, n+1) // read only where something was written
	}
	c.Next = 0
}

// Skip leaves out the places before ip that are not linked yet.
func (c *Chain[P]) Skip(ip int) { c.Next = max(c.Next, ip) }

// Link links the places before to. Eight bytes must follow each.
func (c *Chain[P]) Link(src []byte, to int) {
	head, before, mask, factor, shift := c.head, c.before, c.mask, c.factor, c.shift&63
	for i := c.Next; i < to; i++ { // Enter, with all in registers
		h := mem.Load64(src, i) * factor >> shift
		before[(i+1)&mask] = head[h]
		head[h] = P(i + 1)
	}
	c.Next = max(c.Next, to)
}

// Enter links the place i, where the word x is, and returns the last one before
// with the same hash: raised by one, 0 for none, and modulo 1<<16 or 1<<32.
// Each caller has a separate loop along a chain: with one function for all of
// them levels took 10 to 20 % longer.
func (c *Chain[P]) Enter(x uint64, i int) P {
	head := &c.head[x*c.factor>>(c.shift&63)]
	last := *head
	c.before[(i+1)&c.mask] = last
	*head = P(i + 1)
	return last
}

// Last returns what Enter would, and enters nothing.
func (c *Chain[P]) Last(x uint64) P { return c.head[x*c.factor>>(c.shift&63)] }

// Before returns the places before: that before one that Enter returned is at
// its place, and with the mask where it is not farther back than matches reach.
func (c *Chain[P]) Before() (before []P, mask int) { return c.before, c.mask }
