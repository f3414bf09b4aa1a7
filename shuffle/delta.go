package shuffle

// XOR sets dst to a xor b. a and b must have the same length. dst may be a or b.
func XOR(dst, a, b []byte) {
	dst, b = dst[:len(a)], b[:len(a)]
	done := steps(len(a), flat.step)
	if done > 0 {
		flat.xor(&dst[0], &a[0], &b[0], done)
	}
	xorGeneric(dst[done:], a[done:], b[done:])
}

// Delta replaces every byte by its difference (exclusive or) from the byte stride before
// it. The first stride bytes are copied. stride must be at least 1.
func Delta(dst, src []byte, stride int) {
	dst = dst[:len(src)]
	if n := copy(dst, src[:min(stride, len(src))]); n < len(src) {
		XOR(dst[n:], src[n:], src[:len(src)-n])
	}
}

// Undelta undoes Delta: it combines every byte with the byte of the result that is stride
// before it. dst may be src.
func Undelta(dst, src []byte, stride int) {
	dst = dst[:len(src)]
	done := steps(len(src), flat.step/4)
	if done > 0 && stride < len(flat.undelta) && flat.undelta[stride] != nil {
		flat.undelta[stride](&dst[0], &src[0], done)
	} else {
		done = copy(dst, src[:min(stride, len(src))])
	}
	undeltaGeneric(dst, src, stride, done)
}

// ByteDelta replaces every byte by its difference, modulo 256, from the previous one. The
// first byte is unchanged.
func ByteDelta(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	dst = dst[:len(src)]
	dst[0] = src[0]
	done := steps(len(dst)-1, flat.step)
	if done > 0 {
		flat.byteDelta(&dst[1], &src[0], done)
	}
	byteDeltaGeneric(dst[1+done:], src[done:])
}

// UnByteDelta undoes ByteDelta. The bytes of dst are the running sums, modulo 256, of
// those of src. dst may be src.
func UnByteDelta(dst, src []byte) {
	dst = dst[:len(src)]
	done := steps(len(src), flat.step/4)
	var sum byte
	if done > 0 {
		flat.unByteDelta(&dst[0], &src[0], done)
		sum = dst[done-1]
	}
	unByteDeltaGeneric(dst[done:], src[done:], sum)
}
