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
	if !o.chain.Begin(src, ip, ip, depth) {
		return
	}
	for {
		l, distance := o.chain.Longer(src, ip, to, best)
		if l > best {
			best = l
			o.found = append(o.found, candidate{l, distance + lz77.RepeatCodes})
		}
		if l == 0 || l > longEnough {
			return
		}
	}
}
