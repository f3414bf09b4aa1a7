package filters

import "github.com/seed03b80dae/blosc2/shuffle"

// A bitShuffleFilter gathers the bits of equal significance (§3). It ignores its meta.
//
// In chunks of Blosc 1 (version 2) and of the alphas (version 3) the filter leaves a
// block unchanged unless the number of its items is a multiple of eight. Since 21
// February 2020 it leaves only the items after the last multiple of eight unchanged.
// Version 4 is older than that change, and so has chunks of both kinds; see codeLength.
type bitShuffleFilter struct{ builtin }

// Forward implements Filter.
func (bitShuffleFilter) Forward(dst, src []byte, p Params) error {
	shuffle.BitShuffle(dst, src, p.TypeSize)
	return nil
}

// Backward implements Filter.
func (bitShuffleFilter) Backward(dst, src []byte, p Params) error {
	shuffle.BitUnshuffle(dst, src, p.TypeSize)
	if p.Undated && len(src)/p.TypeSize%8 != 0 && codeLength(src, p.TypeSize) < codeLength(dst, p.TypeSize) {
		copy(dst, src)
	}
	return nil
}

func (bitShuffleFilter) leaves(n int, p Params, _ bool) bool {
	return (p.Version == 2 || p.Version == 3) && n/p.TypeSize%8 != 0
}
