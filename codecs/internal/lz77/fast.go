package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// These are the hash tables of the fast search. The one for inputs of at most 64
// KiB, such as the streams of blocks, stays in the first-level cache and is quickly
// cleared.
const (
	fastBits     = 14 // one less for matches of six bytes or more
	fastFarBits  = 15
	fastShort    = 16 << 10 // for inputs up to this size shorter matches are found
	fastStep     = 2        // initial step between the pairs of adjacent positions that are searched
	fastPatience = 128      // bytes without a match after which the step grows
	fastLongest  = 128      // longest step

	doubleBits     = 15 // of each of two tables; fewer for inputs below 32 KiB
	doubleFarBits  = 16
	doublePatience = 256
)

// A fastKernel is fast or double in assembly, for data of which both repeated distances are
// known.
type fastKernel[P position] func(table *P, src []byte, from, to int, rep *[2]int, seqs []Seq, ignored, shift, literal int) (n int)

// These are nil if there is no assembly.
var (
	fast16, double16 fastKernel[uint16]
	fast32, double32 fastKernel[uint32]
)

// fastFind is the search of zstd's lowest levels.
func (f *Finder) fastFind(src []byte, from, to int, e Effort) {
	least := min(max(e.MinLength, MinMatch), 8)
	if len(src) <= fastShort {
		least = min(least, 5)
	}
	f.seqs = room.Resize(f.seqs, mostSeqs(to-from))
	small := len(src) <= 1<<16
	switch {
	case e.Double && small:
		fastSearch(f, &f.fast16, min(max(bits.Len(uint(len(src)))-1, 8), doubleBits), 2, double16, double, src, from, to, least, e.Literal)
	case e.Double:
		fastSearch(f, &f.fast32, doubleFarBits, 2, double32, double, src, from, to, least, e.Literal)
	case !small:
		fastSearch(f, &f.fast32, fastFarBits, 1, fast32, fast, src, from, to, least, e.Literal)
	case least > 5:
		fastSearch(f, &f.fast16, fastBits-1, 1, fast16, fast, src, from, to, least, e.Literal)
	default:
		fastSearch(f, &f.fast16, fastBits, 1, fast16, fast, src, from, to, least, e.Literal)
	}
}

// mostSeqs returns room for the sequences of n bytes, in steps: searches of samples would
// otherwise leave several smaller buffers.
func mostSeqs(n int) int {
	for _, step := range []int{32 << 10, 128 << 10} {
		if n <= step {
			n = step
			break
		}
	}
	return n/MinMatch + 2
}

// fastSearch searches with tables of 1<<bits positions each, by the kernel if possible, and
// otherwise by generic.
func fastSearch[P position](f *Finder, table *[]P, bits, tables int, kernel fastKernel[P], generic func(f *Finder, table []P, src []byte, from, to, least, literal int),
	src []byte, from, to, least, literal int) {
	if !f.begun {
		*table = room.Zeros(*table, tables<<bits)
	}
	known := f.rep[0] > 0 && f.rep[0] <= max(from, 1) && f.rep[1] <= max(from, 4)
	if kernel == nil || !known {
		generic(f, *table, src, from, to, least, literal)
		return
	}
	n := kernel(&(*table)[0], src, from, to, &f.rep, f.seqs[:cap(f.seqs)], 64-8*least, 64-bits, literal)
	f.seqs = f.seqs[:n]
}

// longerStep returns the step after a given one: longer by one byte, or half of
// fastLongest after that. If steps stayed the same, data that repeat at distances that are
// not multiples of the step would be passed over.
func longerStep(step int) int {
	if step++; step > fastLongest {
		step = fastLongest / 2
	}
	return step
}

// fast has one candidate for each position, the last one with the same hash of least
// bytes, and takes the match if four bytes are equal and the match saves space. It
// searches pairs of adjacent positions, at larger and larger steps while nothing is found.
// Before each pair it checks whether the last distance is repeated at the next position.
func fast[P position](f *Finder, table []P, src []byte, from, to, least, literal int) {
	ignored, shift := uint(64-8*least)&63, uint(64-bits.Len(uint(len(table)-1)))&63
	hash := func(at int) uint64 { return mem.Load64(src, at) << ignored * 0x9e3779b185ebca87 >> shift }
	equal := func(a, b int) bool { return mem.Load32(src, a) == mem.Load32(src, b) }
	f.seqs = f.seqs[:0]
	limit := to - tail
	anchor, ip := from, max(from, 1)
	r0, r1 := f.rep[0], f.rep[1]
	next, step, patience := ip+fastStep, fastStep, ip+fastPatience
	for next+1 < limit {
		h0, h1 := hash(ip), hash(ip+1)
		ref := int(table[h0])
		table[h0] = P(ip)
		start, off, looked := 0, 1, ip
		if r0 > 0 && r0 <= next && equal(next, next-r0) {
			table[h1] = P(ip + 1)
			start, ref = next, next-r0
			if src[start-1] == src[ref-1] {
				start, ref = start-1, ref-1
			}
		} else {
			found := equal(ip, ref)
			if !found {
				looked, ref = ip+1, int(table[h1])
				found = equal(looked, ref)
			}
			table[h1] = P(ip + 1)
			if !found || literal > 0 && !fastSaves(src, looked, ref, to, literal) {
				ip, next = next, next+step
				if next >= patience {
					step = longerStep(step)
					patience += fastPatience
				}
				continue
			}
			if looked > ip && step <= MinMatch {
				table[hash(next)] = P(next)
			}
			start, off = looked, 0
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
			table[hash(looked+2)] = P(looked + 2)
			table[hash(ip-2)] = P(ip - 2)
		}
		// The distance before the last one may recur immediately.
		for r1 > 0 && r1 <= ip && ip <= limit && equal(ip, ip-r1) {
			length := MinMatch + CommonPrefix(src, ip+MinMatch, ip+MinMatch-r1, to)
			r0, r1 = r1, r0
			table[hash(ip)] = P(ip)
			f.seqs = append(f.seqs, Seq{0, uint32(length), 1})
			ip += length
			anchor = ip
		}
		next, step, patience = ip+fastStep, fastStep, ip+fastPatience
	}
	f.rep = [2]int{r0, r1}
}
