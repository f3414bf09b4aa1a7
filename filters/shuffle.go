package filters

import (
	"github.com/seed03b80dae/blosc2/shuffle"
)

// shuffleFilter gathers the bytes of equal significance (filters.md §2).
type shuffleFilter struct{ builtin }

// groupSize is the number of bytes that shuffle takes for an item: its meta,
// written by python-blosc2 for strings of 4-byte characters and honoured by
// C-Blosc2 since 2.23.1, or else the typesize.
func groupSize(meta uint8, p Params) int {
	if meta != 0 {
		return int(meta)
	}
	return p.TypeSize
}

func (shuffleFilter) Check(Params) error { return nil }

func (shuffleFilter) Forward(dst, src []byte, p Params) error {
	shuffle.Shuffle(dst, src, groupSize(p.Meta, p))
	return nil
}

func (shuffleFilter) Backward(dst, src []byte, p Params) error {
	shuffle.Unshuffle(dst, src, groupSize(p.Meta, p))
	return nil
}

// bitShuffleFilter gathers the bits of equal significance (filters.md §3). It
// ignores its meta.
type bitShuffleFilter struct{ builtin }

// wholeOnly tells whether the block is left as it is: chunks of Blosc 1 and of
// the alphas shuffle no block whose items are no multiple of eight.
func wholeOnly(n int, p Params) bool {
	return (p.Version == 2 || p.Version == 3) && n/p.TypeSize%8 != 0
}

func (bitShuffleFilter) Check(Params) error { return nil }

func (bitShuffleFilter) Forward(dst, src []byte, p Params) error {
	if wholeOnly(len(src), p) {
		copy(dst, src)
		return nil
	}
	shuffle.BitShuffle(dst, src, p.TypeSize)
	return nil
}

func (bitShuffleFilter) Backward(dst, src []byte, p Params) error {
	if wholeOnly(len(src), p) {
		copy(dst, src)
		return nil
	}
	shuffle.BitUnshuffle(dst, src, p.TypeSize)
	return nil
}
