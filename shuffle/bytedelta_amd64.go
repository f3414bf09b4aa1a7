//go:build !purego

package shuffle

// FusesDelta reports whether ShuffleDelta and UnshuffleDelta are faster than two
// passes for items of size bytes.
func FusesDelta(size int) bool {
	return current >= vector && (size == 2 || size == 4 || size == 8) || current >= wide && size == 16
}

// gatherDeltaAsm processes the first of n items, and returns how many it has
// processed.
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
	done := n &^ 63
	if done == 0 {
		return 0
	}
	d, s := within(dst, n, size, done), within(src, size, done, size)
	switch {
	case size == 2:
		gatherDelta2AVX512(d, n, s, done)
	case size == 4:
		gatherDelta4AVX512(d, n, s, done)
	case size == 8:
		gatherDelta8AVX512(d, n, s, done)
	case competing(n):
		gatherDeltaQuarters(dst, n, src, done)
	default:
		gatherDelta16AVX512(d, n, s, done)
	}
	return done
}

// gatherDeltaQuarters is like gatherQuarters, for differences.
func gatherDeltaQuarters(dst []byte, stride int, src []byte, n int) {
	var zero [16]byte
	last := &zero[0]
	for i := 0; i < n; i += quarterTile {
		t := min(n-i, quarterTile)
		for q := range 4 {
			gatherDelta16QuarterAVX512(&dst[4*q*stride+i], stride, &src[16*i], q, t, last)
		}
		last = &src[16*(i+t)-16]
	}
}

// gatherDeltaVector makes planes of differences, few enough at a time that these
// stay in the first-level cache.
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

// scatterDeltaAsm processes the first of n items, and returns how many it has
// processed.
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
	done := n &^ 63
	if done == 0 {
		return 0
	}
	d, s := within(dst, size, done, size), within(src, n, size, done)
	switch size {
	case 2:
		scatterDelta2AVX512(d, s, n, done)
	case 4:
		scatterDelta4AVX512(d, s, n, done)
	case 8:
		scatterDelta8AVX512(d, s, n, done)
	case 16:
		scatterDelta16AVX512(d, s, n, done)
	}
	return done
}

// scatterDeltaVector scatters items and then sums them, few enough at a time that
// these stay in the first-level cache.
func scatterDeltaVector(dst []byte, size int, src []byte, n int) int {
	const tile = 512
	done := n &^ 31
	for i := 0; i < done; i += tile {
		t := min(done-i, tile)
		d, s := within(dst[i*size:], size, t, size), within(src[i:], n, size, t)
		scatterAVX2[size](d, s, n, t)
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
