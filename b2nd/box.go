package b2nd

// strides returns the bytes from one item to the next along each dimension of a
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

// A box is an n-dimensional box of items that is copied from one strided buffer
// to another. Dimensions that are contiguous in both are merged, so that whole
// rows or planes are moved by one copy.
type box struct {
	n      int           // dimensions after merging
	run    int64         // contiguous bytes
	extent [MaxDim]int64 // count along each dimension
	dst    [MaxDim]int64 // strides in the destination, in bytes
	src    [MaxDim]int64 // strides in the source, in bytes
}

// newBox prepares the copy of extent items of item bytes each. Strides are in
// bytes and may be 0 or negative.
func newBox(extent, dst, src []int64, item int64) box {
	b := box{run: item}
	d := len(extent) - 1
	for ; d >= 0; d-- {
		if extent[d] == 1 {
			continue // the stride of a dimension of one item is never used
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
		// An outer dimension that continues where the inner one ends is merged
		// with it.
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
