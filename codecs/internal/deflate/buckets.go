package deflate

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

const bucketBits = 13

// buckets holds the last four positions of each hash, the latest in the lowest
// bits. All four are compared together: most positions of a noisy plane have no
// match, and the branches of a chain would be mispredicted.
type buckets [1 << bucketBits]uint64

// slot returns the bucket of w; factor determines how many of its bytes count.
func (t *buckets) slot(w, factor uint64) *uint64 { return &t[w*factor>>(64-bucketBits)] }

// link enters the positions [from, to).
func (t *buckets) link(src []byte, from, to int, factor uint64) {
	for i := from; i < to; i++ {
		b := t.slot(mem.Load64(src, i), factor)
		*b = *b<<16 | uint64(uint16(i))
	}
}

// scan skips and links positions without a match. It returns the first one that may have
// one, or end. It also stops where the word near+1 bytes before is equal in the bits of same.
// If the position's bucket suggests a match, scan has linked the position too, and returns the bucket, and the
// differences between the words at its positions and the word at the new one. scan does so
// little that all of its state stays in registers.
func (t *buckets) scan(src []byte, ip, anchor, end int, factor, mask uint64, skip uint, near int, same uint64) (at int, places, x0, x1, x2, x3 uint64, linked bool) {
	for ip < end {
		w := mem.Load64(src, ip)
		if uint32(w^mem.Load64(src, ip-1))<<8 == 0 || (w^mem.Load64(src, ip-1-near))&same == 0 {
			break
		}
		b := t.slot(w, factor)
		places = *b
		*b = places<<16 | uint64(uint16(ip))
		// equal has ones up to the lowest bit in which the best of the four words differs
		// from w.
		x0 = mem.Load64(src, ip-int(uint16(ip)-uint16(places))) ^ w
		equal := x0 ^ (x0 - 1)
		x1 = mem.Load64(src, ip-int(uint16(ip)-uint16(places>>16))) ^ w
		equal |= x1 ^ (x1 - 1)
		x2 = mem.Load64(src, ip-int(uint16(ip)-uint16(places>>32))) ^ w
		equal |= x2 ^ (x2 - 1)
		x3 = mem.Load64(src, ip-int(uint16(ip)-uint16(places>>48))) ^ w
		equal |= x3 ^ (x3 - 1)
		if equal&mask == mask {
			return ip, places, x0, x1, x2, x3, true
		}
		ip += 1 + min((ip-anchor)>>(skip&63), mostSkipped)
	}
	return ip, 0, 0, 0, 0, 0, false
}

// findBuckets implements find with buckets of positions at which the next key bytes
// have the same hash. If the size of items is known, it also compares each position with the
// previous item, from three equal bytes on: buckets find only matches of key bytes. Otherwise
// it looks for long matches at the previous distance.
func (f *finder) findBuckets(seqs []seq, src []byte, from, to, key int) ([]seq, int) {
	lazy, nice, skip := f.effort.Lazy, f.effort.Nice, f.effort.Skip
	ignored := uint(64-8*key) & 63
	factor, mask := uint64(prime)<<ignored, ^uint64(0)>>ignored
	table := &f.buckets
	end := min(to-3, len(src)-tail)
	item := f.effort.Item
	anchor, ip := from, max(from, 1, item)
	near, same := item-1, uint64(1<<(8*minMatch)-1)
	for {
		if item == 0 {
			near, same = int(f.last), ^uint64(0) // the distance less 1 is less than any ip
		}
		at, places, x0, x1, x2, x3, known := table.scan(src, ip, anchor, end, factor, mask, skip, near, same)
		if ip = at; ip >= end {
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
		var m match
		if x := w ^ mem.Load64(src, ip-1-near); x&same == 0 {
			n := bits.TrailingZeros64(x) >> 3
			if x == 0 {
				n += lz77.CommonPrefix(src, ip+8, ip+7-near, min(to, ip+maxMatch))
			}
			if n >= longMatch {
				at, m := extend(src, ip, anchor, match{length: n, distance: near})
				seqs = appendMatch(seqs, at-anchor, m)
				table.link(src, ip, min(ip+linkFirst, end), factor)
				ip += n
				anchor = ip
				table.link(src, ip-linkLast, min(ip, end), factor)
				continue
			}
			if item > 0 {
				m = match{n, near, f.gain(n, near)}
			}
		}
		var found match
		if known {
			found = f.best(src, ip, to, places, x0, x1, x2, x3)
		} else {
			found = f.searchBucket(src, ip, to, factor)
		}
		if found.gain > m.gain {
			m = found
		}
		if m.gain <= 0 {
			ip += 1 + min((ip-anchor)>>(skip&63), mostSkipped)
			continue
		}
		linked := ip + 1
		for ahead := 1; ahead <= lazy && m.length < nice && ip+ahead < end; ahead++ {
			linked = ip + ahead + 1
			if n := f.searchBucket(src, ip+ahead, to, factor); n.gain > m.gain {
				m = n
				ip += ahead
				ahead = 0
			}
		}
		m.length = min(m.length, to-ip)
		ip, m = extend(src, ip, anchor, m)
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

// searchBucket returns the best match at ip among the positions of its bucket, and
// links ip.
func (f *finder) searchBucket(src []byte, ip, to int, factor uint64) match {
	w := mem.Load64(src, ip)
	b := f.buckets.slot(w, factor)
	places := *b
	*b = places<<16 | uint64(uint16(ip))
	x0 := mem.Load64(src, ip-int(uint16(ip)-uint16(places))) ^ w
	x1 := mem.Load64(src, ip-int(uint16(ip)-uint16(places>>16))) ^ w
	x2 := mem.Load64(src, ip-int(uint16(ip)-uint16(places>>32))) ^ w
	x3 := mem.Load64(src, ip-int(uint16(ip)-uint16(places>>48))) ^ w
	m := f.best(src, ip, to, places, x0, x1, x2, x3)
	if uint32(w^mem.Load64(src, ip-1))<<8 == 0 {
		m = f.orRun(m, src, ip, to)
	}
	return m
}

// best returns the longest match among the positions, and the nearest if there are
// several. x holds the differences of the words there. It selects without branches, which
// would be mispredicted.
func (f *finder) best(src []byte, ip, to int, places, x0, x1, x2, x3 uint64) (m match) {
	// Each key has the highest bit of each byte up to the first one that differs,
	// or none if the distance is invalid, and below these the number of the
	// position.
	const ends = 0x8080808080808080
	at := uint16(ip) - 1
	x0 = (x0 - 1) &^ x0 & (uint64((at-uint16(places))>>15) - 1)
	x1 = (x1 - 1) &^ x1 & (uint64((at-uint16(places>>16))>>15) - 1)
	x2 = (x2 - 1) &^ x2 & (uint64((at-uint16(places>>32))>>15) - 1)
	x3 = (x3 - 1) &^ x3 & (uint64((at-uint16(places>>48))>>15) - 1)
	k, l := max(x0&ends|3, x1&ends|2, x2&ends|1, x3&ends), 0
	if k>>63 != 0 {
		if ip+16 > len(src) {
			return f.longest(src, ip, to, places)
		}
		// For the positions that match in eight bytes, compare the next eight.
		w := mem.Load64(src, ip+8)
		y0 := mem.Load64(src, ip+8-int(uint16(ip)-uint16(places))) ^ w
		y1 := mem.Load64(src, ip+8-int(uint16(ip)-uint16(places>>16))) ^ w
		y2 := mem.Load64(src, ip+8-int(uint16(ip)-uint16(places>>32))) ^ w
		y3 := mem.Load64(src, ip+8-int(uint16(ip)-uint16(places>>48))) ^ w
		x0 = (y0-1)&^y0&ends&uint64(int64(x0)>>63) | x0>>63<<2 | 3
		x1 = (y1-1)&^y1&ends&uint64(int64(x1)>>63) | x1>>63<<2 | 2
		x2 = (y2-1)&^y2&ends&uint64(int64(x2)>>63) | x2>>63<<2 | 1
		x3 = (y3-1)&^y3&ends&uint64(int64(x3)>>63) | x3>>63<<2
		k, l = max(x0, x1, x2, x3), 8
		if k>>63 != 0 {
			return f.longest(src, ip, to, places)
		}
	}
	d := at - uint16(places>>((^k&3)*16))
	l += bits.TrailingZeros64(^(k | ^uint64(ends))) >> 3
	if l >= minMatch {
		m = match{l, int(d), f.gain(l, int(d))}
	}
	return m
}

// longest returns the best match among those of at least eight bytes.
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

// orRun returns m, or the run of three bytes or more that begins at ip if that saves more.
func (f *finder) orRun(m match, src []byte, ip, to int) match {
	l := min(run(src, ip), to-ip, maxMatch)
	if g := f.gain(l, 0); g > m.gain {
		m = match{l, 0, g}
	}
	return m
}
