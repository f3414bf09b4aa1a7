package shuffle

// byteDeltaGeneric does the bytes from, from+1 … of src.
func byteDeltaGeneric(dst, src []byte, from int) {
	var last byte
	if from > 0 {
		last = src[from-1]
	}
	for i := from; i < len(src); i++ {
		dst[i], last = src[i]-last, src[i]
	}
}

// unByteDeltaGeneric does the bytes from, from+1 … of src, where sum is the
// result before from.
func unByteDeltaGeneric(dst, src []byte, from int, sum byte) {
	for i := from; i < len(src); i++ {
		sum += src[i]
		dst[i] = sum
	}
}
