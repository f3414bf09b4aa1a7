//go:build !purego

package shuffle

// FusesDelta tells whether ShuffleDelta and UnshuffleDelta are better than two
// passes for items of size bytes; else they are not made for speed.
func FusesDelta(size int) bool {
	return current >= vector && (size == 2 || size == 4 || size == 8) || current >= wide && size == 16
}

// gatherDeltaAsm does the first of n items, and tells how many these are.
func gatherDeltaAsm(dst []byte, n int, src []byte, size int) int {
	switch {
	case !FusesDelta(size):
		return 0
	case current >= wide:
		return gatherDeltaWide(dst, n, src, size)
	}
	return gatherDeltaVector(dst, n, src, size)
}

func gatherDeltaWide(dst []byte, n int, src []byte, size int) int {
	const step = 64
	done := n &^ (step - 1)
	if done == 0 {
		return 0
	}
	// The kernels begin with the item that ends the 64 bytes before.
	var first [64 + step*16]byte
	copy(first[64:], src[:step*size])
	gatherDelta(within(dst, n, size, step), n, within(first[64:], size, step, size), size, step)
	left := done - step
	if left == 0 {
		return done
	}
	dst, src = dst[step:], src[step*size:]
	d, s := within(dst, n, size, left), within(src, size, left, size)
	switch {
	case size == 16 && competing(n):
		gatherQuarters(dst, n, src, left, gatherDelta16QuarterAVX512)
	default:
		gatherDelta(d, n, s, size, left)
	}
	return done
}

func gatherDelta(dst *byte, stride int, src *byte, size, n int) {
	switch size {
	case 2:
		gatherDelta2AVX512(dst, stride, src, n)
	case 4:
		gatherDelta4AVX512(dst, stride, src, n)
	case 8:
		gatherDelta8AVX512(dst, stride, src, n)
	case 16:
		gatherDelta16AVX512(dst, stride, src, n)
	}
}

// gatherDeltaVector makes planes of differences, so few at a time that these
// stay in the first-level cache meanwhile.
func gatherDeltaVector(dst []byte, n int, src []byte, size int) int {
	const tile = 4096 // bytes
	var less [tile]byte
	done := n &^ 127
	for i := 0; i < done; {
		t := min(done-i, tile/size)
		s := src[i*size : (i+t)*size]
		if i == 0 {
			copy(less[:size], s)
			for j := size; j < 128; j++ {
				less[j] = s[j] - s[j-size]
			}
			if len(s) > 128 {
				subAVX2(&less[128], &s[128], &s[128-size], len(s)-128)
			}
		} else {
			subAVX2(&less[0], &s[0], &src[i*size-size], len(s))
		}
		d, l := within(dst[i:], n, size, t), within(less[:], size, t, size)
		switch {
		case size == 2:
			gather2AVX2(d, n, l, t)
		case size == 4:
			gather4AVX2(d, n, l, t)
		default:
			gather8AVX2(d, n, l, t)
		}
		i += t
	}
	return done
}

// scatterDeltaAsm does the first of n items, and tells how many these are.
func scatterDeltaAsm(dst []byte, size int, src []byte, n int) int {
	switch {
	case !FusesDelta(size):
		return 0
	case current >= wide:
		return scatterDeltaWide(dst, size, src, n)
	}
	return scatterDeltaVector(dst, size, src, n)
}

func scatterDeltaWide(dst []byte, size int, src []byte, n int) int {
	const step = 64
	done := n &^ (step - 1)
	if done == 0 {
		return 0
	}
	// The kernels begin with the item that ends the 64 bytes before.
	var first [step + step*16]byte
	scatterDelta(within(first[step:], size, step, size), within(src, n, size, step), n, size, step)
	copy(dst, first[step:step+step*size])
	if left := done - step; left > 0 {
		scatterDelta(within(dst[step*size:], size, left, size), within(src[step:], n, size, left), n, size, left)
	}
	return done
}

func scatterDelta(dst, src *byte, stride, size, n int) {
	switch size {
	case 2:
		scatterDelta2AVX512(dst, src, stride, n)
	case 4:
		scatterDelta4AVX512(dst, src, stride, n)
	case 8:
		scatterDelta8AVX512(dst, src, stride, n)
	case 16:
		scatterDelta16AVX512(dst, src, stride, n)
	}
}

// scatterDeltaVector sums up what it scattered, so few items at a time that
// these stay in the first-level cache meanwhile.
func scatterDeltaVector(dst []byte, size int, src []byte, n int) int {
	const tile = 512
	done := n &^ 31
	for i := 0; i < done; i += tile {
		t := min(done-i, tile)
		d, s := within(dst[i*size:], size, t, size), within(src[i:], n, size, t)
		switch size {
		case 2:
			scatter2AVX2(d, s, n, t)
		case 4:
			scatter4AVX2(d, s, n, t)
		case 8:
			scatter8AVX2(d, s, n, t)
		}
		if i > 0 {
			for j := i * size; j < (i+1)*size; j++ {
				dst[j] += dst[j-size]
			}
		}
		switch size {
		case 2:
			sums2AVX2(d, d, t*size)
		case 4:
			sums4AVX2(d, d, t*size)
		case 8:
			sums8AVX2(d, d, t*size)
		}
	}
	return done
}
