// Package move copies many short runs of bytes between two slices, each run by
// one or two words that may overlap: a call of copy costs more than moving so
// few bytes.
//
// Its functions check once that all the runs lie within both slices, and panic
// as indexing does if not. Then, on machines that may load words from anywhere,
// the runs themselves are moved without checks; with the build tag purego every
// access is checked again.
package move

import "math/bits"

// Short is the longest run that is moved by words rather than by copy.
const Short = 64

// A word is what is moved at once.
type word interface {
	[1]byte | [2]byte | [4]byte | [8]byte | [16]byte
}

// check panics if a run from off+low to off+high+run is not within n bytes.
// All but n may be anything.
func check(n, off, low, high, run int) {
	if off < 0 || off > n || low > 0 || low < -off || high < 0 || run < 0 || run > n-off || high > n-off-run {
		panic("move: a run lies outside its slice")
	}
}

// extremes returns the least and the greatest offset of n ≥ 1 runs that lie step
// apart. A product that does not fit is caught by its sign or by check.
func extremes(step, n int) (low, high int) {
	const half = 1 << (bits.UintSize/2 - 1) // of such numbers a product always fits
	far := step * (n - 1)
	if (n > half || step > half || step < -half) && n > 1 && far/(n-1) != step {
		panic("move: a run lies outside its slice")
	}
	return min(far, 0), max(far, 0)
}
