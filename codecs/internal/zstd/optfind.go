package zstd

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// candidates finds the matches at ip, each longer than the one before: first
// the distances that n lets repeat, then others, the nearest first.
func (o *optimizer) candidates(src []byte, ip, to, depth int, n *node) {
	o.found = o.found[:0]
	word := mem.Load32(src, ip)
	best := lz77.MinMatch - 1
	try := func(distance, off int) {
		if distance > 0 && distance <= ip && mem.Load32(src, ip-distance) == word {
			if l := lz77.CommonPrefix(src, ip, ip-distance, to); l > best {
				best = l
				o.found = append(o.found, candidate{l, off})
			}
		}
	}
	if n.literals > 0 {
		try(int(n.rep[0]), 1)
		try(int(n.rep[1]), 2)
	} else {
		try(int(n.rep[1]), 1)
	}
	c := &o.chain
	if c.Next < ip {
		c.Link(src, ip)
	}
	place := int(c.Enter(uint64(word), ip)) // raised by one
	c.Next = ip + 1
	before, _ := c.Before()
	for ; depth > 0 && place > 0 && ip+best < to; depth-- {
		if mem.Load32(src, place-1+best-3) == mem.Load32(src, ip+best-3) && mem.Load32(src, place-1) == word {
			if l := lz77.CommonPrefix(src, ip, place-1, to); l > best {
				best = l
				o.found = append(o.found, candidate{l, ip + 1 - place + lz77.RepeatCodes})
				if l > longEnough {
					break
				}
			}
		}
		place = int(mem.Index(before, place))
	}
}
