package shuffle

import "sync"

// BitShuffle gathers the lowest bits of the first bytes of all items, then the next
// bits and so on: row 8*j+k of the result holds bit k of byte j of every item,
// eight items per byte, the first in the lowest bit. size is the number of bytes of
// an item, at least 1. Items after the last multiple of eight, and the bytes of an
// incomplete last item, are copied unchanged.
//
// It panics if dst is shorter than src or size is less than 1.
func BitShuffle(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size &^ 7
	row := n / 8
	copy(dst[n*size:], src[n*size:])
	if size == 1 {
		bitRows(dst, row, src, n, n, 1)
		return
	}
	done := bitShuffleAsm(dst, row, src, size, n)
	if done == n {
		return
	}
	t := newTile(size, row)
	defer tiles.Put(t.planes)
	for col := 0; col < size; col += t.cols {
		col := min(col, size-t.cols) // the last columns overlap those before
		for i := done; i < n; i += t.items {
			k := min(n-i, t.items)
			gather(t.planes[:], k+planeGap, src[i*size+col:], size, t.cols, k)
			bitRows(dst[8*col*row+i/8:], row, t.planes[:], k+planeGap, k, t.cols)
		}
	}
}

// BitUnshuffle undoes BitShuffle.
func BitUnshuffle(dst, src []byte, size int) {
	dst = dst[:len(src)]
	n := len(src) / size &^ 7
	row := n / 8
	copy(dst[n*size:], src[n*size:])
	if size == 1 {
		bitBytes(dst, n, src, row, n, 1)
		return
	}
	done := bitUnshuffleAsm(dst, src, row, size, n)
	if done == n {
		return
	}
	t := newTile(size, row)
	defer tiles.Put(t.planes)
	for i := done; i < n; i += t.items {
		k := min(n-i, t.items)
		for col := 0; col < size; col += t.cols {
			col := min(col, size-t.cols)
			bitBytes(t.planes[:], k+planeGap, src[8*col*row+i/8:], row, k, t.cols)
			scatter(dst[i*size+col:], size, t.planes[:], k+planeGap, t.cols, k)
		}
	}
}

// A tile is the unit of work, in which first bytes and then bits are transposed: a
// number of items, and of bytes of each.
type tile struct {
	items, cols int
	planes      *tileBytes
}

const (
	tileCols  = 8
	tileItems = 4096
	planeGap  = 64 // bytes between planes, so that they do not compete
)

// A tileBytes is memory for the planes of a tile, with more for other
// implementations.
type tileBytes [2*tileCols*tileItems + 16*planeGap]byte

var tiles = sync.Pool{New: func() any { return new(tileBytes) }}

// newTile chooses tiles of 8 KiB, or larger ones if rows compete, because these are
// better written in longer pieces. Every tile but the last has a multiple of 512
// items, 64 bytes in each row.
func newTile(size, row int) tile {
	t := tile{tileItems, min(size, tileCols), tiles.Get().(*tileBytes)}
	if !competing(row) {
		t.items = 8192 / t.cols &^ 511
	}
	return t
}

// competing reports whether planes or rows with the given distance share sets of
// the first-level cache, which is slow if eight are written at once.
func competing(stride int) bool { return stride%4096 == 0 }

// planeKernels are the bitRows and bitBytes of one plane, for multiples of step
// bytes, of a level of kernels.
type planeKernels struct {
	level level
	step  int
	rows  func(dst *byte, stride int, plane *byte, n int)
	bytes func(plane, src *byte, stride, n int)
}

// bitRows makes eight rows of bits of each of count planes of bytes, which are
// planeStride bytes apart: bit i of row 8*j+k, which begins at
// dst[(8*j+k)*stride], is bit k of planes[j*planeStride+i], for i < n. n is a
// multiple of 8.
func bitRows(dst []byte, stride int, planes []byte, planeStride, n, count int) {
	done := 0
	for i := range planeTiers {
		t := &planeTiers[i]
		k := (n - done) &^ (t.step - 1)
		if current < t.level || k == 0 {
			continue
		}
		for j := range count {
			t.rows(within(dst[8*j*stride+done/8:], stride, 8, k/8), stride, within(planes[j*planeStride+done:], k, 1, k), k)
		}
		done += k
	}
	for j := 0; j < count && done < n; j++ {
		bitRowsGeneric(dst[8*j*stride+done/8:], stride, planes[j*planeStride+done:j*planeStride+n])
	}
}

// bitBytes undoes bitRows.
func bitBytes(planes []byte, planeStride int, src []byte, stride, n, count int) {
	done := 0
	for i := range planeTiers {
		t := &planeTiers[i]
		k := (n - done) &^ (t.step - 1)
		if current < t.level || k == 0 {
			continue
		}
		for j := range count {
			t.bytes(within(planes[j*planeStride+done:], k, 1, k), within(src[8*j*stride+done/8:], stride, 8, k/8), stride, k)
		}
		done += k
	}
	for j := 0; j < count && done < n; j++ {
		bitBytesGeneric(planes[j*planeStride+done:j*planeStride+n], src[8*j*stride+done/8:], stride)
	}
}
