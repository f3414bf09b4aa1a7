package zstd

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// matches link the positions whose words have the same hash, the last one
// first. Positions are raised by one: 0 is none.
type matches struct {
	head   []uint32
	before []uint32
	next   int // first position that is not linked
}

const optimalBits = 17

// begin prepares for the block that begins at src[from:].
func (m *matches) begin(src []byte, from int) {
	if m.head == nil {
		m.head = make([]uint32, 1<<optimalBits)
	} else {
		clear(m.head)
	}
	if cap(m.before) < len(src) {
		m.before = make([]uint32, len(src))
	}
	m.before = m.before[:len(src)]
	m.next = 0
	m.link(src, from)
}

func matchHash(w uint32) uint32 { return w * 2654435761 >> (32 - optimalBits) }

// link enters the positions up to ip.
func (m *matches) link(src []byte, ip int) {
	for i := m.next; i < ip; i++ {
		h := matchHash(mem.Load32(src, i))
		m.before[i] = m.head[h]
		m.head[h] = uint32(i + 1)
	}
	m.next = max(m.next, ip)
}

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
	m := &o.matches
	m.link(src, ip)
	ref := int(m.head[matchHash(word)]) - 1
	for ; depth > 0 && ref >= 0 && ip+best < to; depth-- {
		if mem.Load32(src, ref+best-3) == mem.Load32(src, ip+best-3) && mem.Load32(src, ref) == word {
			if l := lz77.CommonPrefix(src, ip, ref, to); l > best {
				best = l
				o.found = append(o.found, candidate{l, ip - ref + lz77.RepeatCodes})
				if l > longEnough {
					break
				}
			}
		}
		ref = int(m.before[ref]) - 1
	}
}
