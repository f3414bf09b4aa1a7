package shuffle

// Shuffle gathers the first bytes of all items of src, then all second bytes and so
// on: dst[j*n+i] = src[i*size+j], where size is the number of bytes of an item, at
// least 1, and n the number of whole items. The bytes of an incomplete last item
// are copied unchanged.
//
// It panics if dst is shorter than src or size is less than 1.
func Shuffle(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size
	if size == 1 || n <= 1 {
		copy(dst, src)
		return
	}
	toPlanes.transpose(dst, n, src, size, size, n)
	copy(dst[n*size:], src[n*size:])
}

// Unshuffle undoes Shuffle.
func Unshuffle(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size
	if size == 1 || n <= 1 {
		copy(dst, src)
		return
	}
	toItems.transpose(src, n, dst[:n*size], size, size, n)
	copy(dst[n*size:], src[n*size:])
}
