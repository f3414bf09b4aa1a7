package move

// Strided copies n runs of run bytes dstStep and srcStep apart, the first from
// src[so:] to dst[do:].
func Strided(dst []byte, do, dstStep int, src []byte, so, srcStep, n, run int) {
	if n <= 0 || run == 0 {
		return
	}
	low, high := extremes(dstStep, n)
	check(len(dst), do, low, high, run)
	low, high = extremes(srcStep, n)
	check(len(src), so, low, high, run)
	if dstStep == run && srcStep > 0 {
		if word := wide(run); word > 0 && len(src)-so-high >= word {
			stridedWide(dst, do, src, so, srcStep, n-1, run)
			do, so, n = do+(n-1)*run, so+(n-1)*srcStep, 1
		}
	}
	strided(dst, do, dstStep, src, so, srcStep, n, run)
}

// strided copies each run by words within the run.
func strided(dst []byte, do, dstStep int, src []byte, so, srcStep, n, run int) {
	switch {
	case run == 1:
		stridedOnes[[1]byte](dst, do, dstStep, src, so, srcStep, n)
	case run == 2:
		stridedOnes[[2]byte](dst, do, dstStep, src, so, srcStep, n)
	case run == 3:
		stridedTwos[[2]byte](dst, do, dstStep, src, so, srcStep, n, run-2)
	case run == 4:
		stridedOnes[[4]byte](dst, do, dstStep, src, so, srcStep, n)
	case run < 8:
		stridedTwos[[4]byte](dst, do, dstStep, src, so, srcStep, n, run-4)
	case run == 8:
		stridedOnes[[8]byte](dst, do, dstStep, src, so, srcStep, n)
	case run < 16:
		stridedTwos[[8]byte](dst, do, dstStep, src, so, srcStep, n, run-8)
	case run == 16:
		stridedOnes[[16]byte](dst, do, dstStep, src, so, srcStep, n)
	case run <= 32:
		stridedTwos[[16]byte](dst, do, dstStep, src, so, srcStep, n, run-16)
	case run <= Short:
		stridedFours(dst, do, dstStep, src, so, srcStep, n, run-16)
	default:
		for range n {
			copy(dst[do:do+run], src[so:so+run])
			do += dstStep
			so += srcStep
		}
	}
}

// stridedWide copies runs that each begin where the previous one ends, by words
// that reach into the next one.
func stridedWide(dst []byte, do int, src []byte, so, srcStep, n, run int) {
	switch {
	case run <= 8:
		stridedOnes[[8]byte](dst, do, run, src, so, srcStep, n)
	case run <= 16:
		stridedOnes[[16]byte](dst, do, run, src, so, srcStep, n)
	case run <= 32:
		stridedTwos[[16]byte](dst, do, run, src, so, srcStep, n, 16)
	default:
		stridedFours(dst, do, run, src, so, srcStep, n, 48)
	}
}

// stridedOnes copies runs of a word.
func stridedOnes[W word](dst []byte, do, dstStep int, src []byte, so, srcStep, n int) {
	for range n {
		one[W](dst, do, src, so)
		do += dstStep
		so += srcStep
	}
}

// stridedTwos copies runs of two words, of which the second begins at last.
func stridedTwos[W word](dst []byte, do, dstStep int, src []byte, so, srcStep, n, last int) {
	for range n {
		one[W](dst, do, src, so)
		one[W](dst, do+last, src, so+last)
		do += dstStep
		so += srcStep
	}
}

// stridedFours copies runs of four words of 16 bytes, of which the fourth begins
// at last.
func stridedFours(dst []byte, do, dstStep int, src []byte, so, srcStep, n, last int) {
	for range n {
		one[[16]byte](dst, do, src, so)
		one[[16]byte](dst, do+16, src, so+16)
		one[[16]byte](dst, do+last-16, src, so+last-16)
		one[[16]byte](dst, do+last, src, so+last)
		do += dstStep
		so += srcStep
	}
}
