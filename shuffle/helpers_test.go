package shuffle

import (
	"math/rand/v2"
)

var all = []kernel{
	{"Shuffle", Shuffle, refShuffle, sizesTo(64)},
	{"Unshuffle", Unshuffle, refUnshuffle, sizesTo(64)},
	{"BitShuffle", BitShuffle, refBitShuffle, sizesTo(64)},
	{"BitUnshuffle", BitUnshuffle, refBitUnshuffle, sizesTo(64)},
	{"ShuffleDelta", ShuffleDelta, refShuffleDelta, sizesTo(17)},
	{"UnshuffleDelta", UnshuffleDelta, refUnshuffleDelta, sizesTo(17)},
	{"Delta", Delta, refDelta, sizesTo(16)},
	{"Undelta", Undelta, refUndelta, sizesTo(16)},
	{"ByteDelta", func(dst, src []byte, _ int) { ByteDelta(dst, src) }, refByteDelta, []int{1}},
	{"UnByteDelta", func(dst, src []byte, _ int) { UnByteDelta(dst, src) }, refUnByteDelta, []int{1}},
}

const guard = 64

func random(n int, seed uint64) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed)})
	r.Read(b)
	return b
}
