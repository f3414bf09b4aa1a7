package deflate

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

const (
	chainBits = 15
	chainKey  = 4 // bytes that are hashed
	shortBits = 13
	ring      = 1 << 15
)

// chains link the positions whose words have the same hash, the last one first.
type chains struct {
	next   int // first position that is not linked
	head   [1 << chainBits]uint16
	before [ring]uint16 // for each position of the window the one before

	short bool // matches of three bytes are looked for
	last3 [1 << shortBits]uint16
}

func (c *chains) reset(n int) {
	clear(c.head[:])
	clear(c.last3[:])
	clear(c.before[:min(n, ring)])
	c.next = 0
}

// begin leaves out the positions before from.
func (c *chains) begin(from int) { c.next = max(c.next, from) }

// link links the positions before to.
func (c *chains) link(src []byte, to int) {
	for i := c.next; i < to; i++ {
		h := chainHash(mem.Load32(src, i))
		c.before[i&(ring-1)] = c.head[h]
		c.head[h] = uint16(i)
	}
	for i := c.next; c.short && i < to; i++ {
		c.last3[shortHash(mem.Load32(src, i))] = uint16(i)
	}
	c.next = max(c.next, to)
}

func chainHash(w uint32) uint64 { return uint64(w) << 32 * prime >> (64 - chainBits) }

func shortHash(w uint32) uint64 { return uint64(w) << 40 * prime >> (64 - shortBits) }

// findChains is find by chains.
func (f *finder) findChains(seqs []seq, src []byte, from, to int) ([]seq, int) {
	e, c := &f.effort, &f.chains
	c.begin(from - ring)
	c.short = e.Thorough && worthwhile(f.literal) == minMatch
	end := min(to-3, len(src)-tail)
	anchor, ip := from, max(from, 1)
	for ip < end {
		if mem.Load64(src, ip) == mem.Load64(src, ip-1) {
			if n := 8 + lz77.CommonPrefix(src, ip+8, ip+7, len(src)); n >= longMatch {
				seqs, n = appendRun(seqs, ip-anchor, n)
				f.last = 0
				c.link(src, ip+1)
				ip += n
				c.begin(ip - linkLast)
				anchor = ip
				continue
			}
		}
		m := f.search(src, ip, to, e.Depth)
		if m.gain <= 0 {
			step := 1 + min((ip-anchor)>>(e.Skip&63), mostSkipped)
			ip += step
			if step > maxLinked {
				c.begin(ip)
			}
			continue
		}
		for depth, ahead := e.Depth, 1; ahead <= e.ChainLazy && m.length < e.Nice && ip+ahead < end; ahead++ {
			if m.length >= e.Nice/4 {
				depth = (e.Depth + 1) / 2
			}
			if n := f.search(src, ip+ahead, to, depth); n.gain > m.gain {
				m = n
				ip += ahead
				ahead = 0
			}
		}
		seqs = appendMatch(seqs, ip-anchor, m)
		f.last = uint32(m.distance)
		ip += m.length
		anchor = ip
	}
	return appendRest(seqs, anchor, to)
}

// search links all positions up to ip and returns the best match there.
func (f *finder) search(src []byte, ip, to, depth int) match {
	c := &f.chains
	c.link(src, ip)
	w := mem.Load32(src, ip)
	limit := min(to, ip+maxMatch)
	var m match
	if x := mem.Load64(src, ip) ^ mem.Load64(src, ip-1); uint32(x)<<8 == 0 {
		l := 8
		if x != 0 {
			l = bits.TrailingZeros64(x) >> 3
		} else {
			l += lz77.CommonPrefix(src, ip+8, ip+7, limit)
		}
		l = min(l, limit-ip)
		if g := f.gain(l, 0); g > 0 {
			m = match{l, 0, g}
		}
	}
	farthest := uint32(min(ip, maxDistance))
	if c.short {
		p := &c.last3[shortHash(w)]
		if d := uint32(uint16(ip) - *p); d-1 < farthest && (mem.Load32(src, ip-int(d))^w)<<8 == 0 {
			if g := f.gain(3, int(d)-1); g > m.gain {
				m = match{3, int(d) - 1, g}
			}
		}
		*p = uint16(ip)
	}
	h := chainHash(w)
	d := uint32(uint16(ip) - c.head[h])
	c.before[ip&(ring-1)] = c.head[h]
	c.head[h] = uint16(ip)
	c.next = ip + 1

	best := max(m.length, chainKey-1)
	if ip+best >= limit {
		return m
	}
	after := mem.Load32(src, ip+best-3) // the last bytes of a match that is longer
	for last, n := uint32(0), depth; n > 0 && d > last && d <= farthest; n-- {
		ref := ip - int(d)
		if mem.Load32(src, ref+best-3) == after && mem.Load32(src, ref) == w {
			if l := chainKey + lz77.CommonPrefix(src, ip+chainKey, ref+chainKey, limit); l > best {
				if g := f.gain(l, int(d)-1); g > m.gain {
					m = match{l, int(d) - 1, g}
					if l >= f.effort.Nice || ip+l >= limit {
						break
					}
					best = l
					after = mem.Load32(src, ip+best-3)
				}
			}
		}
		last = d
		d = uint32(uint16(ip) - c.before[ref&(ring-1)])
	}
	return m
}
