package filters

import "github.com/seed03b80dae/blosc2/shuffle"

// bitShuffleFilter gathers the bits of equal significance (§3). It ignores its
// meta.
//
// Chunks of Blosc 1 (version 2) and of the alphas (version 3) leave a block as
// it is unless the number of its items is a multiple of eight; since 21
// February 2020 only the items behind the last multiple are left. Version 4
// began before that day; see hasColumns.
type bitShuffleFilter struct{ builtin }

func (bitShuffleFilter) Check(Params) error { return nil }

func (bitShuffleFilter) Forward(dst, src []byte, p Params) error {
	shuffle.BitShuffle(dst, src, p.TypeSize)
	return nil
}

func (bitShuffleFilter) Backward(dst, src []byte, p Params) error {
	if p.Undated && len(src)/p.TypeSize%8 != 0 && hasColumns(src, p.TypeSize) {
		copy(dst, src)
		return nil
	}
	shuffle.BitUnshuffle(dst, src, p.TypeSize)
	return nil
}

func (bitShuffleFilter) leaves(n int, p Params, _ bool) bool {
	return (p.Version == 2 || p.Version == 3) && n/p.TypeSize%8 != 0
}

// hasColumns tells whether the bytes of a block depend on their place within
// an item of size bytes, as those of numbers do: the first bytes are noise, say,
// and the last ones zero. Once the bits are shuffled, such a dependence is
// gone.
//
// It decides about blocks that the first betas, from August 2019 to February
// 2020, either left as they were or, later, shuffled up to the last multiple of
// eight items. C-Blosc2 takes all of them for the latter and misreads the
// former; but nothing else in the chunk tells them apart.
//
// The measure is how much likelier two bytes of the same column are equal than
// two bytes of the block.
func hasColumns(block []byte, size int) bool {
	n := len(block) / size * size
	var total [256]int64
	var same, all int64 // pairs of equal bytes
	for c := range size {
		var count [256]int64
		for i := c; i < n; i += size {
			count[block[i]]++
		}
		for v, k := range count {
			same += k * (k - 1)
			total[v] += k
		}
	}
	for _, k := range total {
		all += k * (k - 1)
	}
	return float64(same)*float64(size) > 1.25*float64(all)
}
