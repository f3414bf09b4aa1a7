package shuffle

// ByteDelta replaces every byte by its difference to the one before, modulo
// 256, starting from 0. dst must not overlap src.
func ByteDelta(dst, src []byte) {
	dst = dst[:len(src)]
	byteDeltaGeneric(dst, src, 0)
}

// UnByteDelta undoes ByteDelta: the bytes of dst are the running sums of those
// of src, modulo 256. dst may be src.
func UnByteDelta(dst, src []byte) {
	dst = dst[:len(src)]
	unByteDeltaGeneric(dst, src, 0, 0)
}
