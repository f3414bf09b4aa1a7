// Package move copies many short runs of bytes between two slices, each run by one
// or two words that may overlap, because a call of copy costs more than moving so
// few bytes.
//
// Its functions check once that all the runs are within both slices, and panic
// as indexing does if not. Then, on machines with unaligned loads, the runs are
// moved without checks; with the build tag purego every access is checked
// again.
package move

import "math/bits"

// Short is the longest run that is moved by words rather than by copy.
const Short = 64

// A word is the unit of a move.
type word interface {
	[1]byte | [2]byte | [4]byte | [8]byte | [16]byte
}

// check panics if a run from off+low to off+high+run is not within n bytes. All
// arguments but n may have any value.
func check(n, off, low, high, run int) {
	if off < 0 || off > n || low > 0 || low < -off || high < 0 || run < 0 || run > n-off || high > n-off-run {
		panic("move: run outside its slice")
	}
}

// extremes returns the least and the greatest offset of n ≥ 1 runs step apart. An
// overflow shows in the sign, or is found by check.
func extremes(step, n int) (low, high int) {
	const half = 1 << (bits.UintSize/2 - 1) // the product of such numbers always fits
	far := step * (n - 1)
	if (n > half || step > half || step < -half) && n > 1 && far/(n-1) != step {
		panic("move: run outside its slice")
	}
	return min(far, 0), max(far, 0)
}
