package deflate

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

const (
	chainKey  = 4 // bytes that a chain goes by, if not 8
	chainBits = 15
	shortBits = 13
	fewBits   = 14
	ring      = 1 << 15
)

// A candidate is a match that is longer than those before it. Its distance is
// less 1.
type candidate struct{ length, distance int }

// links are a chain of the positions with the same key, and the last positions
// of fewer bytes: of three if short, and of some more where keys have 8. All are
// modulo 1<<16.
type links struct {
	lz77.Chain[uint16]
	short    bool
	last3    [1 << shortBits]uint16 // the last position of each three bytes
	fewShift uint                   // leaves the few bytes of a word, 0 for none
	few      [1 << fewBits]uint32   // their last two positions
	found    []candidate
}

// reset begins an input of n bytes. See lz77.Chain.Reset for factor and bits.
func (c *links) reset(n int, factor uint64, bits uint) {
	c.Reset(n, ring, factor, bits)
	clear(c.last3[:])
	if c.fewShift > 0 {
		clear(c.few[:])
	}
}

func shortHash(x uint64) uint64 { return x << (64 - 8*minMatch) * prime >> (64 - shortBits) }

func fewHash(x uint64, shift uint) uint64 { return x << (shift & 63) * prime >> (64 - fewBits) }

// link links the positions before to.
func (c *links) link(src []byte, to int) {
	for i := c.Next; c.short && i < to; i++ {
		c.last3[shortHash(mem.Load64(src, i))] = uint16(i)
	}
	for i := c.Next; c.fewShift > 0 && i < to; i++ {
		p := &c.few[fewHash(mem.Load64(src, i), c.fewShift)]
		*p = *p<<16 | uint32(uint16(i))
	}
	c.Link(src, to)
}

// search links all positions up to ip and ip itself, and returns the matches
// there, each longer than the one before and than least.
func (c *links) search(src []byte, ip, limit, least, depth, nice int) []candidate {
	c.link(src, ip)
	c.found = c.found[:0]
	x := mem.Load64(src, ip)
	if c.short {
		p := &c.last3[shortHash(x)]
		least = c.try(src, ip, limit, least, uint16(ip)-*p, x, 64-8*minMatch)
		*p = uint16(ip)
	}
	if c.fewShift > 0 {
		p := &c.few[fewHash(x, c.fewShift)]
		least = c.try(src, ip, limit, least, uint16(ip)-uint16(*p), x, c.fewShift)
		least = c.try(src, ip, limit, least, uint16(ip)-uint16(*p>>16), x, c.fewShift)
		*p = *p<<16 | uint32(uint16(ip))
	}
	if !c.Begin(src, ip, maxDistance, depth) || least >= nice {
		return c.found
	}
	for least = max(least, chainKey-1); ; {
		l, d := c.Longer(src, ip, limit, least)
		if l > least {
			least = l
			c.found = append(c.found, candidate{l, d - 1})
		}
		if l == 0 || l >= nice {
			return c.found
		}
	}
}

// try notes the match with the bytes d before, where the word x is at ip, if it
// is longer than least, and returns what the next one must be longer than. shift
// takes the bytes away that need not be equal.
func (c *links) try(src []byte, ip, limit, least int, d uint16, x uint64, shift uint) int {
	distance := int(d)
	if distance-1 < 0 || distance > min(ip, maxDistance) || (mem.Load64(src, ip-distance)^x)<<(shift&63) != 0 {
		return least
	}
	l := common(src, ip, distance, limit, x)
	if l <= least {
		return least
	}
	c.found = append(c.found, candidate{l, distance - 1})
	return l
}

// common returns how many bytes from ip on, where the word x is, are equal to
// those distance bytes before.
func common(src []byte, ip, distance, limit int, x uint64) int {
	if x ^= mem.Load64(src, ip-distance); x != 0 {
		return min(bits.TrailingZeros64(x)>>3, limit-ip)
	}
	return 8 + lz77.CommonPrefix(src, ip+8, ip+8-distance, limit)
}
