package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

type position interface{ uint16 | uint32 }

// chains link the positions whose words have the same hash, the last one
// first. Positions are kept raised by one: 0 is none.
type chains[P position] struct {
	effort Effort
	next   int  // first position that is not linked
	head   []P  // the last position of each hash
	bits   uint // of a hash
	before []P  // for each position the one before
}

func (c *chains[P]) reset(n int) {
	// Twice as many heads as positions: words with the same hash that differ
	// take longer to distinguish than the table to clear.
	c.bits = min(max(uint(bits.Len(uint(n-1)))+1, 14), 17)
	c.head = cleared(c.head, 1<<c.bits)
	if cap(c.before) < n {
		c.before = make([]P, n)
	}
	c.before = c.before[:n]
	c.next = 0
}

func (c *chains[P]) hash(w uint32) uint32 { return w * 2654435761 >> ((32 - c.bits) & 31) }

func (c *chains[P]) link(src []byte, from, to int) {
	before := c.before
	for i := from; i < to; i++ {
		h := c.hash(mem.Load32(src, i))
		before[i] = c.head[h]
		c.head[h] = P(i + 1)
	}
}

// Of the positions that a long match covers only the first and last ones are
// linked: the others are of little use.
const (
	longSkip  = 384
	skipFirst = 96
	skipLast  = 32
)

// maxLinked is the longest step in whose course all positions are linked:
// data that need longer ones repeat too little for it.
const maxLinked = 4

// search links all positions up to ip and ip itself, and returns the longest
// match there that is longer than least, which is 3 or more, or 0 if there is
// none.
func (c *chains[P]) search(src []byte, ip, to, least int) (length, distance int) {
	if c.next < ip-longSkip {
		c.link(src, c.next, c.next+skipFirst)
		c.next = ip - skipLast
	}
	c.link(src, c.next, ip)
	c.next = ip + 1
	word := mem.Load32(src, ip)
	head, before := &c.head[c.hash(word)], c.before
	ref := int(*head) - 1
	before[ip], *head = *head, P(ip+1)
	if ip+least >= to {
		return 0, 0
	}
	length = least
	end := mem.Load32(src, ip+length-3) // the last bytes of a match that is longer
	oldest := max(0, ip-c.effort.Window)
	for n := c.effort.Depth; n > 0 && ref >= oldest; n-- {
		if mem.Load32(src, ref+length-3) == end && mem.Load32(src, ref) == word && ref < ip {
			if l := 4 + commonPrefix(src, ip+4, ref+4, to); l > length {
				length, distance = l, ip-ref
				if ip+l >= to {
					break
				}
				end = mem.Load32(src, ip+length-3)
			}
		}
		ref = int(before[ref]) - 1
	}
	if distance == 0 {
		return 0, 0
	}
	return length, distance
}
