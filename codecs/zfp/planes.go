package zfp

import "math/bits"

// decodePlanes reads the bit planes of a cell's coefficients, from plane width
// down, and gives the number of bits read: at most maxBits.
//
// A plane begins with a bit for each of the first n coefficients, n being how
// many had a bit set in the planes above. Of the others follows whether any
// has its bit set; if so, zeros and a one up to the next that has, and so on.
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
			left--
			if r.read(1) == 0 {
				break
			}
			from := r.pos
			n += r.zeros(min(size-1-n, left)) // the last one need not be said
			left -= r.pos - from
			coef[n] |= 1 << plane
			n++
		}
	}
	return maxBits - left
}

// encodePlanes writes what decodePlanes reads.
func encodePlanes(w *bitWriter, coef []uint64, width, planes, maxBits int) int {
	size := len(coef)
	left := maxBits
	put := func(x uint64, n int) {
		n = min(n, left)
		left -= n
		w.write(x&(1<<n-1), n)
	}
	n := 0
	for plane := width; left > 0 && plane > max(0, width-planes); {
		plane--
		for i := 0; i < n; i += peekBits {
			var x uint64
			for j, c := range coef[i:min(i+peekBits, n)] {
				x |= c >> plane & 1 << j
			}
			put(x, min(peekBits, n-i))
		}
		for n < size && left > 0 {
			next := n
			for next < size && coef[next]>>plane&1 == 0 {
				next++
			}
			if next == size {
				put(0, 1)
				break
			}
			put(1, 1)
			for ; next-n > peekBits-1; n += peekBits - 1 {
				put(0, peekBits-1)
			}
			if next < size-1 {
				put(1<<(next-n), next-n+1)
			} else {
				put(0, next-n)
			}
			n = next + 1
		}
	}
	return maxBits - left
}
