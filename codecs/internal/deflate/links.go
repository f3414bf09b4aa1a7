package deflate

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// These sizes are explained in docs/codecs.md, section 6.
const (
	chainKey  = 4 // number of bytes of a chain's key, unless it has 8
	chainBits = 15
	shortBits = 13
	fewBits   = 14
	ring      = 1 << 15
)

// links holds a chain of the positions with the same key, and the last positions of
// shorter keys: keys of three bytes if short is set, and keys of a few more bytes if
// those of the chain have 8 bytes. All positions are modulo 1<<16.
type links struct {
	lz77.Chain[uint16]
	short    bool
	more     int                    // Effort.More
	last3    [1 << shortBits]uint16 // the last position of each three bytes
	fewShift uint                   // shift that keeps the few bytes of a word; 0 if there is no such key
	few      [1 << fewBits]uint32   // the last two positions of each few bytes
	found    []lz77.Candidate       // matches; their Off is the distance less 1
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
	if !c.short {
		c.Link(src, to)
		return
	}
	for i := c.Next; i < to; i++ {
		x := mem.Load64(src, i)
		c.Enter(x, i)
		c.last3[shortHash(x)] = uint16(i)
		if c.fewShift > 0 {
			p := &c.few[fewHash(x, c.fewShift)]
			*p = *p<<16 | uint32(uint16(i))
		}
	}
	c.Skip(to)
}

// passRun skips a run, and links only its ends.
func (c *links) passRun(src []byte, from, to int) {
	c.link(src, from+1)
	c.Skip(to - linkLast)
}

// search links all positions up to and including ip, and returns the matches there,
// each longer than the previous one.
func (c *links) search(src []byte, ip, limit, depth, nice int) []lz77.Candidate {
	if c.Next < ip {
		c.link(src, ip)
	}
	c.Next = ip + 1
	c.found = c.found[:0]
	least := minMatch - 1
	x, farthest := mem.Load64(src, ip), min(ip, maxDistance)
	if c.short {
		p := &c.last3[shortHash(x)]
		d := int(uint16(ip) - *p)
		*p = uint16(ip)
		if uint(d-1) < uint(farthest) && (mem.Load64(src, ip-d)^x)<<(64-8*minMatch) == 0 {
			least = c.note(src, ip, limit, least, d, x)
		}
	}
	if c.fewShift > 0 {
		p := &c.few[fewHash(x, c.fewShift)]
		places := *p
		*p = places<<16 | uint32(uint16(ip))
		for range 2 {
			d := int(uint16(ip) - uint16(places))
			places >>= 16
			if uint(d-1) < uint(farthest) && (mem.Load64(src, ip-d)^x)<<(c.fewShift&63) == 0 {
				least = c.note(src, ip, limit, least, d, x)
			}
		}
	}
	place := c.Enter(x, ip)
	before, mask := c.Before()
	end := ip + max(least, chainKey-1) - 3 // the last bytes of the shortest match that is longer than the best
	if end+3 >= limit || least >= nice {
		return c.found
	}
	word := mem.Load32(src, end)
	for nearer := 0; depth > 0; depth-- {
		d := int(uint16(ip+1) - place)
		if d <= nearer || d > farthest {
			break // the entry is for a position out of reach
		}
		nearer = d
		place = mem.Index(before, int(place)&mask)
		if mem.Load32(src, end-d) != word || mem.Load32(src, ip-d) != uint32(x) {
			continue
		}
		if l := c.note(src, ip, limit, end+3-ip, d, x); l > end+3-ip {
			if l >= nice || ip+l >= limit {
				break
			}
			depth += c.more
			end = ip + l - 3
			word = mem.Load32(src, end)
		}
	}
	return c.found
}

// note records the match at distance if it is longer than least, and returns the length
// that the next one must exceed. x is the word at ip.
func (c *links) note(src []byte, ip, limit, least, distance int, x uint64) int {
	l := 8
	if x ^= mem.Load64(src, ip-distance); x != 0 {
		l = bits.TrailingZeros64(x) >> 3
	} else {
		l += lz77.CommonPrefix(src, ip+8, ip+8-distance, limit)
	}
	if l = min(l, limit-ip); l <= least {
		return least
	}
	c.found = append(c.found, lz77.Candidate{Length: uint32(l), Off: uint32(distance - 1)})
	return l
}
