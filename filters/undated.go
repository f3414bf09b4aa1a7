package filters

import "math"

// codeLength returns how long, in arbitrary units, the items of size bytes in block
// would be if each of their columns (all first bytes, all second bytes, …) were
// coded by a simple adaptive code: of its bytes, of their differences from item to
// item, or of the differences of those, whichever is shortest.
//
// It decides how to read blocks that the first betas, from August 2019 to February
// 2020, left unchanged and that later ones, up to April 2021, shuffled up to the
// last multiple of eight items. Nothing in the chunk distinguishes the two;
// C-Blosc2 treats all of them as the latter, and misreads the former. One reading
// of such a block restores the items, and the other mixes their bits, which
// destroys the similarities within columns: so the reading with the shorter code is
// taken, or, if both are equal, that of C-Blosc2. In the test, with blocks of all
// kinds, about one decision in seventy is wrong.
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

// seen is the weight of a byte value that has not occurred, relative to 1 for each
// occurrence: few of the possible values ever occur.
const seen = 1. / 16

// adaptive returns the length of an adaptive code of bytes with the given
// counts, in natural units, without the terms that depend only on their number.
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
