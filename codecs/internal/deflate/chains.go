package deflate

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// findChains implements find with chains.
func (f *finder) findChains(seqs []seq, src []byte, from, to int) ([]seq, int) {
	e, c := &f.effort, &f.chains
	c.Skip(from - ring)
	c.short = e.Thorough && worthwhile(f.literal) == minMatch
	end := min(to-3, len(src)-tail)
	anchor, ip := from, max(from, 1)
	for ip < end {
		if n := run(src, ip); n >= longMatch {
			seqs, n = appendRun(seqs, ip-anchor, n)
			f.last = 0
			c.passRun(src, ip, ip+n)
			ip += n
			anchor = ip
			continue
		}
		m := f.search(src, ip, to, e.Depth)
		if m.gain <= 0 {
			step := 1 + min((ip-anchor)>>(e.Skip&63), mostSkipped)
			ip += step
			if step > maxLinked {
				c.Skip(ip)
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
		ip, m = extend(src, ip, anchor, m)
		seqs = appendMatch(seqs, ip-anchor, m)
		f.last = uint32(m.distance)
		ip += m.length
		anchor = ip
	}
	return appendRest(seqs, anchor, to)
}

// search links all positions up to ip and ip itself, and returns the best match there. It
// computes immediately how much a match saves: if it made a list as links.search does,
// levels 4 to 8 took 3 to 8 % longer.
func (f *finder) search(src []byte, ip, to, depth int) match {
	c := &f.chains
	if c.Next < ip {
		c.link(src, ip)
	}
	c.Next = ip + 1
	x, limit := mem.Load64(src, ip), min(to, ip+maxMatch)
	var m match
	if uint32(x^mem.Load64(src, ip-1))<<8 == 0 {
		m = f.orRun(m, src, ip, limit)
	}
	farthest := min(ip, maxDistance)
	if c.short {
		p := &c.last3[shortHash(x)]
		if d := int(uint16(ip) - *p); uint(d-1) < uint(farthest) && (mem.Load64(src, ip-d)^x)<<(64-8*minMatch) == 0 {
			if g := f.gain(minMatch, d-1); g > m.gain {
				m = match{minMatch, d - 1, g}
			}
		}
		*p = uint16(ip)
	}
	place := c.Enter(x, ip)
	before, mask := c.Before()
	best := max(m.length, chainKey-1)
	if ip+best >= limit {
		return m
	}
	word, after := uint32(x), mem.Load32(src, ip+best-3) // the last bytes of a longer match
	for nearer := 0; depth > 0; depth-- {
		d := int(uint16(ip+1) - place)
		if d <= nearer || d > farthest {
			break
		}
		nearer = d
		place = mem.Index(before, int(place)&mask)
		ref := ip - d
		if mem.Load32(src, ref+best-3) != after || mem.Load32(src, ref) != word {
			continue
		}
		if l := chainKey + lz77.CommonPrefix(src, ip+chainKey, ref+chainKey, limit); l > best {
			if g := f.gain(l, d-1); g > m.gain {
				m = match{l, d - 1, g}
				if l >= f.effort.Nice || ip+l >= limit {
					break
				}
				best = l
				after = mem.Load32(src, ip+best-3)
			}
		}
	}
	return m
}
