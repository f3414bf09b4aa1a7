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

// vectorKernels process whole registers along slices: see flatKernels.
var vectorKernels = flatKernels{
	step: 128, xor: xorAVX2, mask: maskAVX2, byteDelta: byteDeltaAVX2, unByteDelta: unByteDeltaAVX2,
	undelta: [9]func(dst, src *byte, n int){1: undelta1AVX2, 2: undelta2AVX2, 4: undelta4AVX2, 8: undelta8AVX2},
}

// These are the kernels for items of whole words, by their size, and for columns of
// items, by their number.
var (
	gatherAVX2      = [9]func(dst *byte, stride int, src *byte, n int){2: gather2AVX2, 4: gather4AVX2, 8: gather8AVX2}
	scatterAVX2     = [9]func(dst, src *byte, stride, n int){2: scatter2AVX2, 4: scatter4AVX2, 8: scatter8AVX2}
	gatherColsAVX2  = [8]func(dst *byte, stride int, src *byte, size, n int){3: gatherCols3AVX2, 5: gatherCols5AVX2, 6: gatherCols6AVX2, 7: gatherCols7AVX2}
	scatterColsAVX2 = [8]func(dst *byte, size int, src *byte, stride, n int){3: scatterCols3AVX2, 5: scatterCols5AVX2, 6: scatterCols6AVX2, 7: scatterCols7AVX2}
	gatherAVX512    = [9]func(dst *byte, stride int, src *byte, n, order int){2: gather2AVX512, 4: gather4AVX512, 8: gather8AVX512}
	scatterAVX512   = [9]func(dst, src *byte, stride, n, order int){2: scatter2AVX512, 4: scatter4AVX512, 8: scatter8AVX512}
)

// The functions below do as much of their work as there are kernels for, and return
// how much they have done.

func gatherAsm(dst []byte, stride int, src []byte, size, cols, n int) (done int) {
	if current >= wide && size == cols {
		done = gatherWide(dst, stride, src, size, n)
	}
	if current >= vector {
		done += gatherVector(dst[done:], stride, src[done*size:], size, cols, n-done)
	}
	return done
}

// These are the orders of the bytes of items in a register: their own, or that in
// which bitItems writes them with AVX-512.
const inOrder, octetOrder = 0, 1

func gatherWide(dst []byte, stride int, src []byte, size, n int) int {
	n &^= 63
	if n == 0 || size != 16 && (size > 8 || gatherAVX512[size] == nil) {
		return 0
	}
	d, s := within(dst, stride, size, n), within(src, size, n, size)
	switch {
	case size < 16:
		gatherAVX512[size](d, stride, s, n, inOrder)
	case competing(stride):
		gatherQuarters(dst, stride, src, n)
	default:
		gather16AVX512(d, stride, s, n)
	}
	return n
}

// vectorItems returns how many of n items, of which that many bytes may be touched,
// the kernels of AVX2 do. Those for odd columns move eight bytes of each item.
func vectorItems(bytes, size, cols, n int) int {
	n &^= 31
	if cols < 8 && cols&(cols-1) != 0 && n > 0 && (n-1)*size+8 > bytes {
		n -= 32
	}
	return n
}

func gatherVector(dst []byte, stride int, src []byte, size, cols, n int) int {
	if n = vectorItems(len(src), size, cols, n); n == 0 {
		return 0
	}
	d, s := within(dst, stride, cols, n), within(src, size, n, cols)
	switch {
	case cols > 8 || cols == 8 && size > 8:
		gatherTiles(dst, stride, src, size, cols, n)
	case size != cols:
		return 0
	case gatherAVX2[size] != nil:
		gatherAVX2[size](d, stride, s, n)
	case gatherColsAVX2[size] != nil:
		gatherColsAVX2[size](d, stride, s, size, n)
	default:
		return 0
	}
	return n
}

// gatherQuarters makes four of sixteen planes at a time, from few enough items that
// these stay in the first-level cache.
func gatherQuarters(dst []byte, stride int, src []byte, n int) {
	for i := 0; i < n; i += quarterTile {
		t := min(n-i, quarterTile)
		for q := range 4 {
			gather16QuarterAVX512(&dst[4*q*stride+i], stride, &src[16*i], q, t)
		}
	}
}

const quarterTile = 512 // items

// gatherTiles processes eight columns at a time, of few enough items that these
// stay in the first-level cache. The last columns overlap the previous ones.
func gatherTiles(dst []byte, stride int, src []byte, size, cols, n int) {
	rows := tileRows(size)
	for i := 0; i < n; i += rows {
		t := min(n-i, rows)
		for col := 0; col < cols; col += 8 {
			col := min(col, cols-8)
			gatherCols8AVX2(within(dst[col*stride+i:], stride, 8, t), stride, within(src[i*size+col:], size, t, 8), size, t)
		}
	}
}

// tileRows returns how many items are processed before the next columns: many,
// because lines of planes that compete for the first-level cache are evicted at
// every change, but few enough that the items stay in it.
func tileRows(size int) int { return max(128, min(512, 32<<10/size)&^31) }

func scatterAsm(dst []byte, size int, src []byte, stride, cols, n int) (done int) {
	if current >= wide && size == cols {
		done = scatterWide(dst, src, stride, size, n)
	}
	if current >= vector {
		done += scatterVector(dst[done*size:], size, src[done:], stride, cols, n-done)
	}
	return done
}

func scatterWide(dst, src []byte, stride, size, n int) int {
	n &^= 63
	if n == 0 || size != 16 && (size > 8 || scatterAVX512[size] == nil) {
		return 0
	}
	d, s := within(dst, size, n, size), within(src, stride, size, n)
	if size == 16 {
		scatter16AVX512(d, s, stride, n)
	} else {
		scatterAVX512[size](d, s, stride, n, inOrder)
	}
	return n
}

func scatterVector(dst []byte, size int, src []byte, stride, cols, n int) int {
	if n = vectorItems(n*size, size, cols, n); n == 0 {
		return 0
	}
	d, s := within(dst, size, n, cols), within(src, stride, cols, n)
	switch {
	case cols > 8 || cols == 8 && size > 8:
		scatterTiles(dst, size, src, stride, cols, n)
	case size != cols:
		return 0
	case scatterAVX2[size] != nil:
		scatterAVX2[size](d, s, stride, n)
	case scatterColsAVX2[size] != nil:
		scatterColsAVX2[size](d, size, s, stride, n)
	default:
		return 0
	}
	return n
}

// scatterTiles undoes gatherTiles.
func scatterTiles(dst []byte, size int, src []byte, stride, cols, n int) {
	rows := tileRows(size)
	for i := 0; i < n; i += rows {
		t := min(n-i, rows)
		for col := 0; col < cols; col += 8 {
			col := min(col, cols-8)
			scatterCols8AVX2(within(dst[i*size+col:], size, t, 8), size, within(src[col*stride+i:], stride, 8, t), stride, t)
		}
	}
}
