package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

const (
	flatBits    = 14 // of each of two tables; fewer for inputs below 32 KiB
	flatSkip    = 9  // the step is longer by one byte after 1<<flatSkip bytes without a match
	flatSteps   = 63 // mask of the steps: after 64 they begin at one again, because long ones pass over repetitions
	flatCounted = 16 // bytes that are compared to see which of two matches is longer
	flatTail    = tail + flatCounted
)

// A flatKernel is flat in assembly, for positions at least flatTail bytes before to. It
// returns the number of sequences, and where flat continues.
type flatKernel[P position] func(table *P, src []byte, at, anchor, to int, seqs []Seq, shift, window int) (n, nextAt, nextAnchor int)

// These are nil if there is no assembly.
var (
	flat16 flatKernel[uint16]
	flat32 flatKernel[uint32]
)

// flatFind is the search of the lowest levels of LZ4 HC, which makes the same choices as
// LZ4MID of LZ4 1.10 in most places.
func (f *Finder) flatFind(src []byte, from, to int, e Effort) {
	f.seqs = room.Resize(f.seqs, mostSeqs(to-from))
	if len(src) <= 1<<16 {
		flatSearch(f, &f.fast16, flat16, src, from, to, e)
	} else {
		flatSearch(f, &f.fast32, flat32, src, from, to, e)
	}
}

// flatSearch searches with two tables, by the kernel as far as possible.
func flatSearch[P position](f *Finder, table *[]P, kernel flatKernel[P], src []byte, from, to int, e Effort) {
	size := min(max(bits.Len(uint(len(src)))-1, 8), flatBits)
	if !f.begun {
		*table = room.Zeros(*table, 2<<size)
	}
	n, at, anchor := 0, max(from, 1), from
	if kernel != nil && at < to-flatTail {
		n, at, anchor = kernel(&(*table)[0], src, at, anchor, to, f.seqs[:cap(f.seqs)], 64-size, e.Window)
	}
	f.seqs = f.seqs[:n]
	flat(f, *table, src, at, anchor, to, e.Window)
}

// flat has two candidates for each position: the last one with the same hash of 7 bytes, and
// the last one with the same hash of 4. It takes the first if that is a match. Otherwise it
// takes the second, or the first of the next position if that is a longer match. Both halves
// of table are hash tables.
func flat[P position](f *Finder, table []P, src []byte, ip, anchor, to, window int) {
	near, far := table[:len(table)/2], table[len(table)/2:]
	shift := uint(64-bits.Len(uint(len(near)-1))) & 63
	nearHash := func(at int) uint64 { return mem.Load64(src, at) << 32 * prime1 >> shift }
	farHash := func(at int) uint64 { return mem.Load64(src, at) << 8 * prime1 >> shift }
	equal := func(a, b int) bool { return a-b <= window && mem.Load32(src, a) == mem.Load32(src, b) }
	counted := func(a, b int) int { return CommonPrefix(src, a, b, min(to, a+flatCounted)) }
	limit := to - tail
	for ip < limit {
		h, g := nearHash(ip), farHash(ip)
		ref, longer := int(near[h]), int(far[g])
		near[h], far[g] = P(ip), P(ip)
		looked, start := ip, ip
		switch {
		case equal(ip, longer):
			ref = longer
		case equal(ip, ref):
			longer := int(far[farHash(ip+1)])
			if ip+1-longer <= window && counted(ip+1, longer) > counted(ip, ref) {
				start, ref = ip+1, longer
			}
		default:
			ip += 1 + (ip-anchor)>>flatSkip&flatSteps
			continue
		}
		length := MinMatch + CommonPrefix(src, start+MinMatch, ref+MinMatch, to)
		distance := start - ref
		for start > anchor && ref > 0 && src[start-1] == src[ref-1] {
			start, ref = start-1, ref-1
			length++
		}
		f.seqs = append(f.seqs, Seq{uint32(start - anchor), uint32(length), uint32(distance + RepeatCodes)})
		ip = start + length
		anchor = ip
		if ip <= limit {
			near[nearHash(looked+1)], far[farHash(looked+1)] = P(looked+1), P(looked+1)
			far[farHash(ip-5)], far[farHash(ip-3)] = P(ip-5), P(ip-3)
			near[nearHash(ip-2)], far[farHash(ip-2)] = P(ip-2), P(ip-2)
			near[nearHash(ip-1)] = P(ip - 1)
		}
	}
}
