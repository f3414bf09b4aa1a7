package filters

import "math"

// codeLength returns how compressible the items of size bytes in block are, as the length
// of a code in arbitrary units. It codes each column (all first bytes, all second bytes,
// …) with a simple adaptive code: of its bytes, of their differences from item to item,
// or of the differences of those, whichever is shortest.
//
// The length determines how to read blocks that the first betas, from August 2019 to
// February 2020, left unchanged and that later ones, up to April 2021, shuffled up to the
// last multiple of eight items. Nothing in the chunk distinguishes the two. C-Blosc2
// treats all of them as the latter, and misreads the former. The right reading of such a
// block restores the items. The wrong one mixes their bits, which destroys the
// similarities within columns. So the reading with the shorter code is chosen, or, if
// both are equal, that of C-Blosc2. In the test, with blocks of all kinds, about one
// decision in seventy is wrong.
func codeLength(block []byte, size int) float64 {
	n := len(block) / size
	total := 0.0
	for c := range size {
		var value, change, turn [256]int
		before, changed := block[c], byte(0)
		for i := c; i < n*size; i += size {
			b := block[i]
			value[b]++
			change[b-before]++
			turn[b-before-changed]++
			before, changed = b, b-before
		}
		total += min(adaptive(&value), adaptive(&change), adaptive(&turn))
	}
	return total
}

// seen is the weight of a byte value that has not occurred. Each occurrence of a value
// has the weight 1. It is less than 1, because only few of the possible values ever
// occur.
const seen = 1. / 16

// adaptive returns the length, in natural units, of an adaptive code for bytes with the
// given counts. It omits the terms that depend only on the number of bytes.
func adaptive(count *[256]int) float64 {
	sum := 0.0
	for _, k := range count {
		if k > 0 {
			g, _ := math.Lgamma(float64(k) + seen)
			sum -= g - lgammaSeen
		}
	}
	return sum
}

var lgammaSeen, _ = math.Lgamma(seen)
