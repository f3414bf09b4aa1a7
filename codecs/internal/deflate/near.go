package deflate

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

const bucketBits = 13

// buckets hold the last four positions of each hash, the latest lowest. All
// four are compared at once: most positions of a noisy plane have no match, and
// the branches of a chain would be guessed wrong there.
type buckets [1 << bucketBits]uint64

// slot gives the bucket of w, of which factor says how many bytes count.
func (t *buckets) slot(w, factor uint64) *uint64 { return &t[w*factor>>(64-bucketBits)] }

// link notes the positions from on up to before to.
func (t *buckets) link(src []byte, from, to int, factor uint64) {
	for i := from; i < to; i++ {
		b := t.slot(mem.Load64(src, i), factor)
		*b = *b<<16 | uint64(uint16(i))
	}
}

// scan passes over positions that have no match, and links them; it gives the
// first one that may have one, or end. So little is done here that all of it
// stays in registers.
func (t *buckets) scan(src []byte, ip, anchor, end int, factor, mask uint64, skip uint, last int) int {
	for ip < end {
		w := mem.Load64(src, ip)
		if uint32(w^mem.Load64(src, ip-1))<<8 == 0 || w == mem.Load64(src, ip-1-last) {
			return ip
		}
		b := t.slot(w, factor)
		places := *b
		// Ones up to the lowest bit that differs in all of them.
		x := mem.Load64(src, ip-int(uint16(ip)-uint16(places))) ^ w
		equal := x ^ (x - 1)
		x = mem.Load64(src, ip-int(uint16(ip)-uint16(places>>16))) ^ w
		equal |= x ^ (x - 1)
		x = mem.Load64(src, ip-int(uint16(ip)-uint16(places>>32))) ^ w
		equal |= x ^ (x - 1)
		x = mem.Load64(src, ip-int(uint16(ip)-uint16(places>>48))) ^ w
		equal |= x ^ (x - 1)
		if equal&mask == mask {
			return ip
		}
		*b = places<<16 | uint64(uint16(ip))
		ip += 1 + min((ip-anchor)>>(skip&63), mostSkipped)
	}
	return ip
}

// findNear is find by buckets of the positions where the next key bytes were
// the same.
func (f *finder) findNear(seqs []seq, src []byte, from, to, key int) ([]seq, int) {
	lazy, nice, skip := f.effort.Lazy, f.effort.Nice, f.effort.Skip
	ignored := uint(64-8*key) & 63
	factor, mask := uint64(prime)<<ignored, ^uint64(0)>>ignored
	table := &f.buckets
	end := min(to-3, len(src)-tail)
	anchor, ip := from, max(from, 1)
	for {
		last := int(f.last) // less than any ip
		ip = table.scan(src, ip, anchor, end, factor, mask, skip, last)
		if ip >= end {
			return appendRest(seqs, anchor, to)
		}
		w := mem.Load64(src, ip)
		if w == mem.Load64(src, ip-1) {
			if n := 8 + lz77.CommonPrefix(src, ip+8, ip+7, len(src)); n >= longMatch {
				seqs, n = appendRun(seqs, ip-anchor, n)
				f.last = 0
				ip += n
				anchor = ip
				continue
			}
		}
		if w == mem.Load64(src, ip-1-last) {
			if n := 8 + lz77.CommonPrefix(src, ip+8, ip+7-last, min(to, ip+maxMatch)); n >= longMatch {
				seqs = appendMatch(seqs, ip-anchor, match{length: n, distance: last})
				table.link(src, ip, min(ip+linkFirst, end), factor)
				ip += n
				anchor = ip
				table.link(src, ip-linkLast, min(ip, end), factor)
				continue
			}
		}
		m := f.near(src, ip, to, factor)
		if m.gain <= 0 {
			ip += 1 + min((ip-anchor)>>(skip&63), mostSkipped)
			continue
		}
		linked := ip + 1
		for ahead := 1; ahead <= lazy && m.length < nice && ip+ahead < end; ahead++ {
			linked = ip + ahead + 1
			if n := f.near(src, ip+ahead, to, factor); n.gain > m.gain {
				m = n
				ip += ahead
				ahead = 0
			}
		}
		m.length = min(m.length, to-ip)
		seqs = appendMatch(seqs, ip-anchor, m)
		f.last = uint32(m.distance)
		ip += m.length
		anchor = ip
		if m.length > longMatch {
			table.link(src, linked, min(linked+linkFirst, end), factor)
			linked = ip - linkLast
		}
		table.link(src, linked, min(ip, end), factor)
	}
}

// near gives the best match at ip among the positions of its bucket, and links
// ip.
func (f *finder) near(src []byte, ip, to int, factor uint64) match {
	w := mem.Load64(src, ip)
	b := f.buckets.slot(w, factor)
	places := *b
	*b = places<<16 | uint64(uint16(ip))
	d0, d1 := int(uint16(ip)-uint16(places)), int(uint16(ip)-uint16(places>>16))
	d2, d3 := int(uint16(ip)-uint16(places>>32)), int(uint16(ip)-uint16(places>>48))
	x0, x1 := mem.Load64(src, ip-d0)^w, mem.Load64(src, ip-d1)^w
	x2, x3 := mem.Load64(src, ip-d2)^w, mem.Load64(src, ip-d3)^w
	var m match
	if x0 == 0 || x1 == 0 || x2 == 0 || x3 == 0 {
		m = f.longest(src, ip, to, places)
	} else {
		m = f.unpack(max(f.pack(x0, d0), f.pack(x1, d1), f.pack(x2, d2), f.pack(x3, d3)))
	}
	return f.orRun(m, src, ip, to, w^mem.Load64(src, ip-1))
}

// pack packs what a match of less than eight bytes saves, its length and its
// distance less 1, so that the largest is the best. x is the difference of the
// two words.
func (f *finder) pack(x uint64, d int) int64 {
	l := int64(bits.TrailingZeros64(x) >> 3)
	u := uint64(d-1) & (1<<16 - 1)
	cost := int64(matchCost + 8*max(bits.Len64(u)-2, 0))
	// Not what is too short or too far.
	cost += (int64(u>>15) - (l-minMatch)>>63) << 16
	return (l*int64(f.literal)-cost)<<24 | l<<16 | int64(u)
}

func (f *finder) unpack(v int64) match {
	m := match{int(v >> 16 & 255), int(v & (1<<16 - 1)), int(v >> 24)}
	if m.distance == int(f.last) {
		m.gain += repeatGain
	}
	return m
}

// longest gives the best of the matches of at least eight bytes.
func (f *finder) longest(src []byte, ip, to int, places uint64) (m match) {
	limit := min(to, ip+maxMatch)
	w := mem.Load64(src, ip)
	for range 4 {
		d := int(uint16(uint16(ip) - uint16(places)))
		places >>= 16
		if mem.Load64(src, ip-d) != w || uint(d-1) >= maxDistance {
			continue
		}
		if l := 8 + lz77.CommonPrefix(src, ip+8, ip+8-d, limit); l > m.length {
			if g := f.gain(l, d-1); g > m.gain {
				m = match{l, d - 1, g}
			}
		}
	}
	return m
}

// orRun gives m, or the run that begins at ip if that saves more. run is the
// difference of the word there and the one a byte before.
func (f *finder) orRun(m match, src []byte, ip, to int, run uint64) match {
	if uint32(run)<<8 == 0 {
		l := 8
		if run != 0 {
			l = bits.TrailingZeros64(run) >> 3
		} else {
			l += lz77.CommonPrefix(src, ip+8, ip+7, min(to, ip+maxMatch))
		}
		if g := f.gain(l, 0); g > m.gain {
			m = match{l, 0, g}
		}
	}
	return m
}
