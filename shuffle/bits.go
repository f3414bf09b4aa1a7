package shuffle

// BitShuffle gathers the lowest bits of the first bytes of all items, then the
// next bits and so on: row 8*j+k of the result holds bit k of byte j of every
// item, eight items a byte, the first in the lowest bit. size is the number of
// bytes of an item, at least 1. Items behind the last multiple of eight, and
// the bytes of an incomplete last item, are copied as they are.
//
// It panics if dst is shorter than src or size is less than 1.
func BitShuffle(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size &^ 7
	bitShuffleGeneric(dst, src, size, n, 0)
	copy(dst[n*size:], src[n*size:])
}

// BitUnshuffle undoes BitShuffle.
func BitUnshuffle(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size &^ 7
	bitUnshuffleGeneric(dst, src, size, n, 0)
	copy(dst[n*size:], src[n*size:])
}
