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
	gather(dst, n, src, size, size, n)
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
	scatter(dst, size, src, n, size, n)
	copy(dst[n*size:], src[n*size:])
}

// gather makes planes of the first cols bytes of n items that are size bytes
// apart: dst[j*stride+i] = src[i*size+j].
func gather(dst []byte, stride int, src []byte, size, cols, n int) {
	if done := gatherAsm(dst, stride, src, size, cols, n); done < n {
		gatherGeneric(dst[done:], stride, src[done*size:], size, cols, n-done)
	}
}

// scatter undoes gather: dst[i*size+j] = src[j*stride+i]. It writes no other bytes
// of dst.
func scatter(dst []byte, size int, src []byte, stride, cols, n int) {
	if done := scatterAsm(dst, size, src, stride, cols, n); done < n {
		scatterGeneric(dst[done*size:], size, src[done:], stride, cols, n-done)
	}
}
