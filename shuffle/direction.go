package shuffle

// A direction is one of the two ways to transpose: from items to planes, or back. The
// arguments of its functions are in the same order for both: the planes or the rows of
// bits come first, and then the items.
type direction struct {
	portable     func(planes []byte, stride int, items []byte, size, cols, n int)
	portableBits func(rows []byte, stride int, plane []byte)
	assembly
}

var (
	toPlanes = direction{gatherGeneric, bitRowsGeneric, gatherKernels}
	toItems  = direction{scatterGeneric, bitBytesGeneric, scatterKernels}
)

// transpose copies bytes between n items, which are size bytes apart, and planes of their
// first cols bytes: planes[j*stride+i] is items[i*size+j]. It writes no other bytes of
// planes. It may write other bytes of items, up to the end of items.
func (d *direction) transpose(planes []byte, stride int, items []byte, size, cols, n int) {
	if done := d.transposeAsm(planes, stride, items, size, cols, n); done < n {
		d.portable(planes[done:], stride, items[done*size:], size, cols, n-done)
	}
}

// A bitKernel is the kernel of one level that transposes the bits between a plane of n
// bytes and eight rows. n must be a multiple of step.
type bitKernel struct {
	level level
	step  int
	run   func(rows *byte, stride int, plane *byte, n int)
}

// transposeBits copies bits between each of count planes of n bytes, which are
// planeStride bytes apart, and eight rows: bit i of row 8*j+k, which begins at
// rows[(8*j+k)*stride], is bit k of planes[j*planeStride+i]. n is a multiple of 8.
func (d *direction) transposeBits(rows []byte, stride int, planes []byte, planeStride, n, count int) {
	done := 0
	for i := range d.bitPlanes {
		t := &d.bitPlanes[i]
		k := (n - done) &^ (t.step - 1)
		if current < t.level || k == 0 {
			continue
		}
		for j := range count {
			t.run(within(rows[8*j*stride+done/8:], stride, 8, k/8), stride, within(planes[j*planeStride+done:], k, 1, k), k)
		}
		done += k
	}
	for j := 0; j < count && done < n; j++ {
		d.portableBits(rows[8*j*stride+done/8:], stride, planes[j*planeStride+done:j*planeStride+n])
	}
}
