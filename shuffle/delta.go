package shuffle

// XOR sets dst to a xor b. a and b have the same length; dst may be either.
func XOR(dst, a, b []byte) {
	dst, b = dst[:len(a)], b[:len(a)]
	xorGeneric(dst, a, b)
}

// Delta replaces every byte by its difference (exclusive or) to the one stride
// bytes before; the first stride bytes, at least 1, are copied.
func Delta(dst, src []byte, stride int) {
	dst = dst[:len(src)]
	stride = min(stride, len(src))
	copy(dst[:stride], src)
	XOR(dst[stride:], src[stride:], src)
}

// Undelta undoes Delta.
func Undelta(dst, src []byte, stride int) {
	dst = dst[:len(src)]
	undeltaGeneric(dst, src, stride, copy(dst[:min(stride, len(src))], src))
}
