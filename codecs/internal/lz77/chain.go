package lz77

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

type position interface{ uint16 | uint32 }

// A Chain links the places of an input whose first bytes have the same hash,
// the last one first. It keeps places modulo 1<<16 or 1<<32, and those of a
// window, so a place may be stale: what is there is compared like any other.
// Place 0 is also what an empty table holds.
type Chain[P position] struct {
	head   []P // the last place of each hash
	before []P // for each place of the window the one before
	mask   int // of places in before
	factor uint64
	shift  uint // takes the bits of a hash from a product
	// Of the search under way: the next place, and how far to go.
	place    P
	farthest int
	depth    int

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
	for i := c.Next; i < to; i++ {
		h := mem.Load64(src, i) * factor >> shift
		before[(i+1)&mask] = head[h]
		head[h] = P(i + 1)
	}
	c.Next = max(c.Next, to)
}

// Begin links all places up to ip and ip itself, and begins a search there for
// matches that are at most farthest bytes back, of which depth are compared. It
// reports whether there may be any.
func (c *Chain[P]) Begin(src []byte, ip, farthest, depth int) bool {
	if c.Next < ip {
		c.Link(src, ip)
	}
	c.Next = ip + 1
	head, now := &c.head[mem.Load64(src, ip)*c.factor>>(c.shift&63)], P(ip+1)
	c.place, c.farthest, c.depth = *head, min(ip, farthest), depth
	c.before[int(now)&c.mask] = *head
	*head = now
	return uint(now-c.place)-1 < uint(c.farthest)
}

// Longer returns the next match of the search at ip that may be longer than
// least, which is 3 or more, and ends before to; 0 if there is none. The loop
// calls nothing before it has one, so that all of it stays in registers.
func (c *Chain[P]) Longer(src []byte, ip, to, least int) (length, distance int) {
	end := ip + least - 3 // the last bytes of a match that is longer
	if end+3 >= to {
		return 0, 0
	}
	before, mask, place, farthest, depth := c.before, c.mask, c.place, c.farthest, c.depth
	now, word, last := P(ip+1), mem.Load32(src, ip), mem.Load32(src, end)
	for ; depth > 0; depth-- {
		d := int(now - place)
		if uint(d-1) >= uint(farthest) {
			break
		}
		place = mem.Index(before, int(place)&mask)
		if mem.Load32(src, end-d) == last && mem.Load32(src, ip-d) == word {
			c.place, c.depth = place, depth-1
			return 4 + commonPrefix(src, ip+4, ip+4-d, to), d
		}
	}
	return 0, 0
}
