package deflate

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// findChains is find by chains.
func (f *finder) findChains(seqs []seq, src []byte, from, to int) ([]seq, int) {
	e, c := &f.effort, &f.chains
	c.Skip(from - ring)
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
				c.Skip(ip - linkLast)
				anchor = ip
				continue
			}
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
		seqs = appendMatch(seqs, ip-anchor, m)
		f.last = uint32(m.distance)
		ip += m.length
		anchor = ip
	}
	return appendRest(seqs, anchor, to)
}

// search returns the best match at ip, and links it.
func (f *finder) search(src []byte, ip, to, depth int) match {
	limit := min(to, ip+maxMatch)
	m := f.orRun(match{}, src, ip, limit, mem.Load64(src, ip)^mem.Load64(src, ip-1))
	for _, c := range f.chains.search(src, ip, limit, max(m.length, minMatch-1), depth, f.effort.Nice) {
		if g := f.gain(c.length, c.distance); g > m.gain {
			m = match{c.length, c.distance, g}
		}
	}
	return m
}
