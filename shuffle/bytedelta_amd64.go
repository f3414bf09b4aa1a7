//go:build !purego

package shuffle

// FusesDelta reports whether ShuffleDelta and UnshuffleDelta are faster than two
// passes for items of size bytes.
func FusesDelta(size int) bool {
	return current >= vector && (size == 2 || size == 4 || size == 8) || current >= wide && size == 16
}

// The kernels, by the size of an item.
var (
	gatherDeltaAVX512  = [17]func(dst *byte, stride int, src *byte, n int){2: gatherDelta2AVX512, 4: gatherDelta4AVX512, 8: gatherDelta8AVX512, 16: gatherDelta16AVX512}
	scatterDeltaAVX512 = [17]func(dst, src *byte, stride, n int){2: scatterDelta2AVX512, 4: scatterDelta4AVX512, 8: scatterDelta8AVX512, 16: scatterDelta16AVX512}
	sumsAVX2           = [9]func(dst, src *byte, n int){2: sums2AVX2, 4: sums4AVX2, 8: sums8AVX2}
)

// gatherDeltaAsm does the first of n items, and returns how many these are.
func gatherDeltaAsm(dst []byte, n int, src []byte, size int) int {
	done := n &^ 63
	switch {
	case !FusesDelta(size):
		return 0
	case current < wide:
		return gatherDeltaVector(dst, n, src, size)
	case done == 0:
		return 0
	}
	d, s := within(dst, n, size, done), within(src, size, done, size)
	if size == 16 && competing(n) {
		gatherDeltaQuarters(dst, n, src, done)
	} else {
		gatherDeltaAVX512[size](d, n, s, done)
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
	buf := tiles.Get().(*tileBytes)
	defer tiles.Put(buf)
	less := buf[tile/2:][:tile] // not as far from the start of a page as what is read meanwhile
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
		gatherAVX2[size](within(dst[i:], n, size, t), n, within(less, size, t, size), t)
		i += t
	}
	return done
}

// scatterDeltaAsm processes the first of n items, and returns how many it has
// processed.
func scatterDeltaAsm(dst []byte, size int, src []byte, n int) int {
	done := n &^ 63
	switch {
	case !FusesDelta(size):
		return 0
	case current < wide:
		return scatterDeltaVector(dst, size, src, n)
	case done == 0:
		return 0
	}
	scatterDeltaAVX512[size](within(dst, size, done, size), within(src, n, size, done), n, done)
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
		sumsAVX2[size](d, d, t*size)
	}
	return done
}
