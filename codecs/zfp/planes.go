package zfp

import "math/bits"

// A cell's coefficients are coded plane by plane, the highest bits first. A plane begins
// with a bit for each of the first n coefficients, up to the last one that has a bit set
// in a higher plane. For the others a bit states whether any of them has its bit set. If
// so, zeros and a one lead to the next coefficient that has, and the coefficients up to
// it now count as the first n. This is repeated until no other bit is set. The one is
// omitted for the last coefficient, because it is the only one left.

// decodePlanes reads the bit planes of a cell's coefficients, beginning with plane width,
// and returns the number of bits read: at most maxBits.
func decodePlanes(r *bitReader, coef []uint64, width, planes, maxBits int) int {
	clear(coef)
	size := len(coef)
	left := maxBits
	n := 0
	for plane := width; left > 0 && plane > max(0, width-planes); {
		plane--
		known := min(n, left)
		left -= known
		for i := 0; i < known; i += peekBits {
			for x := r.read(min(peekBits, known-i)); x != 0; x &= x - 1 {
				coef[i+bits.TrailingZeros64(x)] |= 1 << plane
			}
		}
		for n < size && left > 0 {
			w := r.peek()
			r.pos++
			left--
			if w&1 == 0 {
				break
			}
			zeros := bits.TrailingZeros64(w >> 1)
			if limit := min(size-1-n, left); zeros < limit && zeros < peekBits-1 {
				n += zeros
				left -= zeros + 1
				r.pos += zeros + 1
			} else {
				from := r.pos
				n += r.zeros(limit)
				left -= r.pos - from
			}
			coef[n] |= 1 << plane
			n++
		}
	}
	return maxBits - left
}

// bitPlanes holds the planes of a cell: a bit for each coefficient, 64 to a word.
type bitPlanes [maxCell / 64][64]uint64

// set sets the planes [from, to) of coefficients.
func (b *bitPlanes) set(coef []uint64, from, to int) {
	mask := ^uint64(0) >> (64 - to + from)
	for g := 0; 64*g < len(coef); g++ {
		words := b[g][from:to]
		clear(words)
		for j, c := range coef[64*g : min(64*g+64, len(coef))] {
			for c = c >> from & mask; c != 0; c &= c - 1 {
				words[bits.TrailingZeros64(c)] |= 1 << j
			}
		}
	}
}

// next returns the first coefficient from n on with its bit set, or size if there
// is none.
func (b *bitPlanes) next(plane, n, size int) int {
	for ; n < size; n = n&^63 + 64 {
		if x := b[n/64][plane] >> (n % 64); x != 0 {
			return n + bits.TrailingZeros64(x)
		}
	}
	return size
}

// encodePlanes writes the bit planes of coefficients in the form that decodePlanes reads.
// b is scratch memory.
func encodePlanes(w *bitWriter, coef []uint64, b *bitPlanes, width, planes, maxBits int) int {
	size := len(coef)
	lowest, ready, step := max(0, width-planes), width, width
	if maxBits < size*width { // the cell may end early, so convert some planes at a time
		step = 16
	}
	left := maxBits
	n := 0
	for plane := width - 1; left > 0 && plane >= lowest; plane-- {
		if plane < ready {
			ready = max(lowest, plane+1-step)
			b.set(coef, ready, plane+1)
		}
		for i := 0; i < n; i += 32 {
			left = w.writeUpTo(left, b[i/64][plane]>>(i%64), min(32, n-i))
		}
		for n < size && left > 0 {
			next := b.next(plane, n, size)
			if next == size {
				left = w.writeUpTo(left, 0, 1)
				break
			}
			left = w.writeGroup(left, next-n, next < size-1)
			n = next + 1
		}
	}
	return maxBits - left
}
