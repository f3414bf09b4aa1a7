package move

// Strided copies n runs of run bytes that lie dstStep and srcStep apart, the
// first from src[so:] to dst[do:].
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

// strided copies each run by words that touch nothing but the run.
func strided(dst []byte, do, dstStep int, src []byte, so, srcStep, n, run int) {
	switch {
	case run == 1:
		for range n {
			copy1(dst, do, src, so)
			do += dstStep
			so += srcStep
		}
	case run == 2:
		for range n {
			copy2(dst, do, src, so)
			do += dstStep
			so += srcStep
		}
	case run == 3:
		for range n {
			copy2(dst, do, src, so)
			copy1(dst, do+2, src, so+2)
			do += dstStep
			so += srcStep
		}
	case run == 4:
		for range n {
			copy4(dst, do, src, so)
			do += dstStep
			so += srcStep
		}
	case run < 8:
		last := run - 4
		for range n {
			copy4(dst, do, src, so)
			copy4(dst, do+last, src, so+last)
			do += dstStep
			so += srcStep
		}
	case run == 8:
		for range n {
			copy8(dst, do, src, so)
			do += dstStep
			so += srcStep
		}
	case run < 16:
		last := run - 8
		for range n {
			copy8(dst, do, src, so)
			copy8(dst, do+last, src, so+last)
			do += dstStep
			so += srcStep
		}
	case run == 16:
		for range n {
			copy16(dst, do, src, so)
			do += dstStep
			so += srcStep
		}
	case run <= 32:
		last := run - 16
		for range n {
			copy16(dst, do, src, so)
			copy16(dst, do+last, src, so+last)
			do += dstStep
			so += srcStep
		}
	case run <= Short:
		last := run - 16
		for range n {
			copy16(dst, do, src, so)
			copy16(dst, do+16, src, so+16)
			copy16(dst, do+last-16, src, so+last-16)
			copy16(dst, do+last, src, so+last)
			do += dstStep
			so += srcStep
		}
	default:
		for range n {
			copy(dst[do:do+run], src[so:so+run])
			do += dstStep
			so += srcStep
		}
	}
}

// stridedWide copies runs of which each begins where the one before ends, by
// words that reach into the next one.
func stridedWide(dst []byte, do int, src []byte, so, srcStep, n, run int) {
	switch {
	case run <= 8:
		for range n {
			copy8(dst, do, src, so)
			do += run
			so += srcStep
		}
	case run <= 16:
		for range n {
			copy16(dst, do, src, so)
			do += run
			so += srcStep
		}
	case run <= 32:
		for range n {
			copy16(dst, do, src, so)
			copy16(dst, do+16, src, so+16)
			do += run
			so += srcStep
		}
	default:
		for range n {
			copy16(dst, do, src, so)
			copy16(dst, do+16, src, so+16)
			copy16(dst, do+32, src, so+32)
			copy16(dst, do+48, src, so+48)
			do += run
			so += srcStep
		}
	}
}
