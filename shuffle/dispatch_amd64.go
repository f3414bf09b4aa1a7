//go:build !purego

package shuffle

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

//go:generate go run -C _asm . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg shuffle

func levelOf(t kernels.Tier) level {
	switch x := &cpu.X86; {
	case t >= kernels.AVX512 && x.HasAVX512VBMI && x.HasAVX512GFNI:
		return wide
	case t >= kernels.AVX2:
		return vector
	}
	return generic
}

// vectorKernels holds the AVX2 kernels that process slices along their length: see
// flatKernels.
var vectorKernels = flatKernels{
	step: 128, xor: xorAVX2, mask: maskAVX2, byteDelta: byteDeltaAVX2, unByteDelta: unByteDeltaAVX2,
	undelta: [9]func(dst, src *byte, n int){1: undelta1AVX2, 2: undelta2AVX2, 4: undelta4AVX2, 8: undelta8AVX2},
}

// An assembly holds the kernels of a direction. Arrays are indexed by the size of an item
// unless noted.
type assembly struct {
	words     [9]func(planes *byte, stride int, items *byte, n int)        // for AVX2
	cols      [9]func(planes *byte, stride int, items *byte, size, n int)  // for AVX2, indexed by the number of columns
	wide      [9]func(planes *byte, stride int, items *byte, n, order int) // for AVX-512
	wide16    func(planes *byte, stride int, items *byte, n int)           // for AVX-512 and items of 16 bytes
	quarters  func(planes []byte, stride int, items []byte, n int)         // like wide16, for planes that compete for cache sets; may be nil
	delta     [17]func(planes *byte, stride int, items *byte, n int)       // for AVX-512: see ShuffleDelta
	octets    [2][17]func(rows *byte, stride int, items *byte, bytes int)  // for AVX2 and AVX-512: see shuffleBitsAsm
	bitTile   int                                                          // bytes of items that the octets kernels process at a time
	bitPlanes []bitKernel
}

var (
	gatherKernels = assembly{
		words:    [9]func(*byte, int, *byte, int){2: gather2AVX2, 4: gather4AVX2, 8: gather8AVX2},
		cols:     [9]func(*byte, int, *byte, int, int){3: gatherCols3AVX2, 5: gatherCols5AVX2, 6: gatherCols6AVX2, 7: gatherCols7AVX2, 8: gatherCols8AVX2},
		wide:     [9]func(*byte, int, *byte, int, int){2: gather2AVX512, 4: gather4AVX512, 8: gather8AVX512},
		wide16:   gather16AVX512,
		quarters: gatherQuarters,
		delta:    [17]func(*byte, int, *byte, int){2: gatherDelta2AVX512, 4: gatherDelta4AVX512, 8: gatherDelta8AVX512, 16: gatherDelta16AVX512},
		octets: [2][17]func(*byte, int, *byte, int){
			{2: bitItems2AVX2, 4: bitItems4AVX2, 8: bitItems8AVX2, 16: bitItems16AVX2},
			{2: bitItems2AVX512, 4: bitItems4AVX512, 8: bitItems8AVX512, 16: bitItems16AVX512},
		},
		bitTile:   64 << 10,
		bitPlanes: []bitKernel{{wide, 512, bitItems1AVX512}, {vector, 256, bitItems1AVX2}},
	}
	scatterKernels = assembly{
		words:  [9]func(*byte, int, *byte, int){2: scatter2AVX2, 4: scatter4AVX2, 8: scatter8AVX2},
		cols:   [9]func(*byte, int, *byte, int, int){3: scatterCols3AVX2, 5: scatterCols5AVX2, 6: scatterCols6AVX2, 7: scatterCols7AVX2, 8: scatterCols8AVX2},
		wide:   [9]func(*byte, int, *byte, int, int){2: scatter2AVX512, 4: scatter4AVX512, 8: scatter8AVX512},
		wide16: scatter16AVX512,
		delta:  [17]func(*byte, int, *byte, int){2: scatterDelta2AVX512, 4: scatterDelta4AVX512, 8: scatterDelta8AVX512, 16: scatterDelta16AVX512},
		octets: [2][17]func(*byte, int, *byte, int){
			{2: bitOctets2AVX2, 4: bitOctets4AVX2, 8: bitOctets8AVX2, 16: bitOctets16AVX2},
			{2: bitOctets2AVX512, 4: bitOctets4AVX512, 8: bitOctets8AVX512, 16: bitOctets16AVX512},
		},
		bitTile:   32 << 10,
		bitPlanes: []bitKernel{{wide, 512, bitOctets1AVX512}, {vector, 256, bitOctets1AVX2}},
	}
)

// Each of the functions below processes as much as there are kernels for, and returns how
// much that is.

func (d *direction) transposeAsm(planes []byte, stride int, items []byte, size, cols, n int) (done int) {
	if current >= wide && size == cols {
		done = d.transposeWide(planes, stride, items, size, n)
	}
	if current >= vector {
		done += d.transposeVector(planes[done:], stride, items[done*size:], size, cols, n-done)
	}
	return done
}

// These are the orders in which a register holds the bytes of items: their own order, or
// the order in which bitItems writes them with AVX-512.
const inOrder, octetOrder = 0, 1

func (d *direction) transposeWide(planes []byte, stride int, items []byte, size, n int) int {
	n &^= 63
	if n == 0 || size != 16 && (size > 8 || d.wide[size] == nil) {
		return 0
	}
	p, s := within(planes, stride, size, n), within(items, size, n, size)
	switch {
	case size < 16:
		d.wide[size](p, stride, s, n, inOrder)
	case d.quarters != nil && competing(stride):
		d.quarters(planes, stride, items, n)
	default:
		d.wide16(p, stride, s, n)
	}
	return n
}

func (d *direction) transposeVector(planes []byte, stride int, items []byte, size, cols, n int) int {
	n &^= 31
	if cols < 8 && cols&(cols-1) != 0 && n > 0 && (n-1)*size+8 > len(items) {
		n -= 32 // the kernels for odd columns access eight bytes of each item, so leave the last items
	}
	if n == 0 {
		return 0
	}
	p, s := within(planes, stride, cols, n), within(items, size, n, cols)
	switch {
	case cols > 8 || cols == 8 && size > 8:
		d.columns(planes, stride, items, size, cols, n)
	case size != cols:
		return 0
	case d.words[size] != nil:
		d.words[size](p, stride, s, n)
	case d.cols[size] != nil:
		d.cols[size](p, stride, s, size, n)
	default:
		return 0
	}
	return n
}

// gatherQuarters makes four of sixteen planes at a time. It processes few enough items at
// a time that these stay in the first-level cache.
func gatherQuarters(dst []byte, stride int, src []byte, n int) {
	for i := 0; i < n; i += quarterTile {
		t := min(n-i, quarterTile)
		for q := range 4 {
			gather16QuarterAVX512(&dst[4*q*stride+i], stride, &src[16*i], q, t)
		}
	}
}

// quarterTile is the number of items of 16 bytes that are processed at a time. Their 8
// KiB stay in the first-level cache until all four quarters of the planes are made.
const quarterTile = 512

// columns processes eight columns at a time. It processes few enough items at a time that
// these stay in the first-level cache. The last columns overlap the previous ones.
func (d *direction) columns(planes []byte, stride int, items []byte, size, cols, n int) {
	// Many items are processed before the next columns, because changing columns evicts
	// the lines of planes that compete for the first-level cache.
	rows := max(128, min(512, 32<<10/size)&^31)
	for i := 0; i < n; i += rows {
		t := min(n-i, rows)
		for col := 0; col < cols; col += 8 {
			col := min(col, cols-8)
			d.cols[8](within(planes[col*stride+i:], stride, 8, t), stride, within(items[i*size+col:], size, t, 8), size, t)
		}
	}
}
