//go:build !purego

package shuffle

// FusesDelta reports whether ShuffleDelta and UnshuffleDelta use one pass for items of
// size bytes, because that is faster than two.
func FusesDelta(size int) bool {
	return current >= vector && (size == 2 || size == 4 || size == 8) || current >= wide && size == 16
}

// deltaAsm processes the first of n items, and returns how many it has processed.
func (d *direction) deltaAsm(planes []byte, n int, items []byte, size int) int {
	done := n &^ 63
	switch {
	case !FusesDelta(size):
		return 0
	case current < wide && d == &toPlanes:
		return gatherDeltaVector(planes, n, items, size)
	case current < wide:
		return scatterDeltaVector(items, size, planes, n)
	case done == 0:
		return 0
	}
	p, s := within(planes, n, size, done), within(items, size, done, size)
	if d == &toPlanes && size == 16 && competing(n) {
		gatherDeltaQuarters(planes, n, items, done)
	} else {
		d.delta[size](p, n, s, done)
	}
	return done
}

// gatherDeltaQuarters is like gatherQuarters, for planes of differences.
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

// gatherDeltaVector makes planes of differences. It processes few enough items at a time
// that the differences stay in the first-level cache.
func gatherDeltaVector(dst []byte, n int, src []byte, size int) int {
	const tile = 4096 // bytes; half as many are as fast in BenchmarkKernels
	buf := tiles.Get().(*tileBytes)
	defer tiles.Put(buf)
	less := buf[tile/2:][:tile] // at another offset in its page than the memory that is read at the same time
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
		toPlanes.words[size](within(dst[i:], n, size, t), n, within(less, size, t, size), t)
		i += t
	}
	return done
}

// sumsAVX2 holds the kernels for running sums, by the size of an item.
var sumsAVX2 = [9]func(dst, src *byte, n int){2: sums2AVX2, 4: sums4AVX2, 8: sums8AVX2}

// scatterDeltaVector scatters items and then computes their running sums. It processes
// few enough items at a time that these stay in the first-level cache.
func scatterDeltaVector(dst []byte, size int, src []byte, n int) int {
	const tile = 512 // items; 256 and 2048 are as fast in BenchmarkKernels
	done := n &^ 31
	for i := 0; i < done; i += tile {
		t := min(done-i, tile)
		d, s := within(dst[i*size:], size, t, size), within(src[i:], n, size, t)
		toItems.words[size](s, n, d, t)
		if i > 0 {
			for j := i * size; j < (i+1)*size; j++ {
				dst[j] += dst[j-size]
			}
		}
		sumsAVX2[size](d, d, t*size)
	}
	return done
}
