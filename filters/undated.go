package filters

import "math"

// codeLength returns how long, in units of no meaning, the items of size bytes
// in block would be if each of their columns (all first bytes, all second
// bytes, …) had a simple adaptive code: of its bytes, of their differences from
// item to item, or of the differences of those, whichever is shortest.
//
// It decides about blocks that the first betas, from August 2019 to February
// 2020, left as they were and that later ones, up to April 2021, shuffled up to
// the last multiple of eight items. C-Blosc2 treats all of them as the latter
// and misreads the former; but nothing else in the chunk distinguishes them.
// One way to read such a block makes items of it, and the other a mixture of
// their bits, which are as many but have lost what the columns had in common:
// so the items are what has the shorter code. Where both are as long it is
// C-Blosc2's. In a trial of blocks of all kinds, which is among the tests,
// about one in seventy is decided wrongly.
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

// seen is the weight of a byte value that has not come yet, against 1 for each
// time that it has: few of the values that are possible are ever there.
const seen = 1. / 16

// adaptive returns the length of an adaptive code of bytes that come so often,
// in natural units, but for what depends on their number alone.
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
