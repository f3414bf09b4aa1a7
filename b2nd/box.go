package b2nd

// strides gives the bytes from one item to the next along each dimension of a
// C-order array of the given shape.
func strides(shape []int64, item int64) []int64 {
	s := make([]int64, len(shape))
	step := item
	for d := len(shape) - 1; d >= 0; d-- {
		s[d] = step
		step = mul(step, shape[d])
	}
	return s
}

// A box copies an n-dimensional box of items from one strided buffer to
// another. Dimensions that lie together in both are merged, so that whole rows
// or planes are moved by one copy.
type box struct {
	n      int           // dimensions that are left after merging
	run    int64         // bytes that lie together
	extent [MaxDim]int64 // how often, along each dimension
	dst    [MaxDim]int64 // bytes to go in the destination
	src    [MaxDim]int64 // bytes to go in the source
}

// newBox prepares the copy of extent items of item bytes each. Strides are in
// bytes and may be 0 or negative.
func newBox(extent, dst, src []int64, item int64) box {
	b := box{run: item}
	d := len(extent) - 1
	for ; d >= 0; d-- {
		if extent[d] == 1 {
			continue // no step is ever taken along it
		}
		if dst[d] != b.run || src[d] != b.run {
			break
		}
		b.run *= extent[d]
	}
	for e := 0; e <= d; e++ {
		if extent[e] == 1 {
			continue
		}
		// An outer dimension that goes on where the one inside it ends is one with it.
		if last := b.n - 1; last >= 0 && b.dst[last] == dst[e]*extent[e] && b.src[last] == src[e]*extent[e] {
			b.extent[last] *= extent[e]
			b.dst[last], b.src[last] = dst[e], src[e]
			continue
		}
		b.extent[b.n], b.dst[b.n], b.src[b.n] = extent[e], dst[e], src[e]
		b.n++
	}
	return b
}

// copy moves the box from src[srcOff:] to dst[dstOff:].
func (b *box) copy(dst []byte, dstOff int64, src []byte, srcOff int64) {
	for d := range b.n {
		if b.extent[d] == 0 {
			return
		}
	}
	if b.run == 0 {
		return
	}
	b.level(0, dst, dstOff, src, srcOff)
}

func (b *box) level(d int, dst []byte, do int64, src []byte, so int64) {
	switch {
	case d == b.n:
		copy(dst[do:do+b.run], src[so:so+b.run])
	case d == b.n-1:
		copyRuns(dst, do, b.dst[d], src, so, b.src[d], b.extent[d], b.run)
	default:
		for range b.extent[d] {
			b.level(d+1, dst, do, src, so)
			do += b.dst[d]
			so += b.src[d]
		}
	}
}

// copyRuns copies n runs of bytes that lie dstStep and srcStep apart. Short runs
// go as one or two words, which may overlap: a call of copy would cost more than
// moving the bytes.
func copyRuns(dst []byte, do, dstStep int64, src []byte, so, srcStep, n, run int64) {
	switch {
	case run == 1:
		for range n {
			dst[do] = src[so]
			do += dstStep
			so += srcStep
		}
	case run < 4:
		for range n {
			*(*[2]byte)(dst[do:]) = *(*[2]byte)(src[so:])
			*(*[2]byte)(dst[do+run-2:]) = *(*[2]byte)(src[so+run-2:])
			do += dstStep
			so += srcStep
		}
	case run == 4:
		for range n {
			*(*[4]byte)(dst[do:]) = *(*[4]byte)(src[so:])
			do += dstStep
			so += srcStep
		}
	case run == 8:
		for range n {
			*(*[8]byte)(dst[do:]) = *(*[8]byte)(src[so:])
			do += dstStep
			so += srcStep
		}
	case run < 8:
		for range n {
			*(*[4]byte)(dst[do:]) = *(*[4]byte)(src[so:])
			*(*[4]byte)(dst[do+run-4:]) = *(*[4]byte)(src[so+run-4:])
			do += dstStep
			so += srcStep
		}
	case run <= 16:
		for range n {
			*(*[8]byte)(dst[do:]) = *(*[8]byte)(src[so:])
			*(*[8]byte)(dst[do+run-8:]) = *(*[8]byte)(src[so+run-8:])
			do += dstStep
			so += srcStep
		}
	case run <= 32:
		for range n {
			*(*[16]byte)(dst[do:]) = *(*[16]byte)(src[so:])
			*(*[16]byte)(dst[do+run-16:]) = *(*[16]byte)(src[so+run-16:])
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
