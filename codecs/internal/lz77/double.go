package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// double has two candidates for each position: the last one with the same hash of least
// bytes, and the last one with the same hash of 8. It searches all positions, at larger and
// larger steps while nothing is found. Before each it checks whether the last distance is
// repeated at the next position. Both halves of table are hash tables.
func double[P position](f *Finder, table []P, src []byte, from, to, least, literal int) {
	near, far := table[:len(table)/2], table[len(table)/2:]
	ignored, shift := uint(64-8*least)&63, uint(64-bits.Len(uint(len(near)-1)))&63
	nearHash := func(at int) uint64 { return mem.Load64(src, at) << ignored * prime1 >> shift }
	farHash := func(at int) uint64 { return mem.Load64(src, at) * prime1 >> shift }
	equal := func(a, b int) bool { return mem.Load32(src, a) == mem.Load32(src, b) }
	equal8 := func(a, b int) bool { return mem.Load64(src, a) == mem.Load64(src, b) }
	f.seqs = f.seqs[:0]
	limit := to - tail
	anchor, ip := from, max(from, 1)
	r0, r1 := f.rep[0], f.rep[1]
	step, patience := 1, ip+doublePatience
	for ip < limit {
		h, g := nearHash(ip), farHash(ip)
		ref, longer := int(near[h]), int(far[g])
		near[h], far[g] = P(ip), P(ip)
		looked, start, off := ip, ip, 0
		switch {
		case r0 > 0 && r0 <= ip+1 && equal(ip+1, ip+1-r0):
			start, ref, off = ip+1, ip+1-r0, 1
		case equal8(ip, longer):
			ref = longer
		case equal(ip, ref):
			if equal8(ip, ref) {
				break
			}
			if longer := int(far[farHash(ip+1)]); equal8(ip+1, longer) {
				start, ref = ip+1, longer
			}
		default:
			start = 0
		}
		if start == 0 || off == 0 && literal > 0 && !fastSaves(src, start, ref, to, literal) {
			ip += step
			if ip >= patience {
				step = longerStep(step)
				patience += doublePatience
			}
			continue
		}
		length := MinMatch + CommonPrefix(src, start+MinMatch, ref+MinMatch, to)
		if off == 0 {
			r0, r1 = start-ref, r0
			off = r0 + RepeatCodes
			for start > anchor && ref > 0 && src[start-1] == src[ref-1] {
				start, ref = start-1, ref-1
				length++
			}
		}
		f.seqs = append(f.seqs, Seq{uint32(start - anchor), uint32(length), uint32(off)})
		ip = start + length
		anchor = ip
		if ip <= limit {
			far[farHash(looked+1)] = P(looked + 1)
			near[nearHash(looked+2)], far[farHash(looked+2)] = P(looked+2), P(looked+2)
			near[nearHash(ip-1)], far[farHash(ip-2)] = P(ip-1), P(ip-2)
		}
		// The distance before the last one may recur immediately.
		for r1 > 0 && r1 <= ip && ip <= limit && equal(ip, ip-r1) {
			length := MinMatch + CommonPrefix(src, ip+MinMatch, ip+MinMatch-r1, to)
			r0, r1 = r1, r0
			near[nearHash(ip)], far[farHash(ip)] = P(ip), P(ip)
			f.seqs = append(f.seqs, Seq{0, uint32(length), 1})
			ip += length
			anchor = ip
		}
		step, patience = 1, ip+doublePatience
	}
	f.rep = [2]int{r0, r1}
}
