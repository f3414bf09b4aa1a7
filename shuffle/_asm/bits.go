package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// With AVX-512 rows of bits are made of a plane of bytes by taking eight bytes for
// an item, whose planes hold every eighth byte.

const octet = 8

// broadcast fills a register with a word.
func broadcast(word uint64, to VecVirtual) VecVirtual {
	r, x := GP64(), XMM()
	MOVQ(U64(word), r)
	VMOVQ(r, x)
	VPBROADCASTQ(x, to)
	return to
}

// A bitLoop is the frame of a function that goes through count planes of bytes,
// planeStride bytes apart, of each of which it takes n bytes, and through eight
// times as many rows of bits.
type bitLoop struct {
	w              width
	plane          GPVirtual
	rows           planes
	n, left, count GPVirtual
	nextPlane      GPVirtual // from the end of a plane's n bytes to the next plane
	nextRows       GPVirtual // likewise for its rows
}

func newBitLoop(w width, name, params, rows string) bitLoop {
	TEXT(name, NOSPLIT, "func("+params+")")
	Pragma("noescape")
	l := bitLoop{w: w, plane: GP64(), n: GP64(), left: GP64(), count: GP64(), nextPlane: GP64(), nextRows: GP64()}
	Load(Param("planes"), l.plane)
	l.rows = newPlanes(Load(Param(rows), GP64()), Load(Param("stride"), GP64()), octet)
	Load(Param("n"), l.n)
	Load(Param("count"), l.count)
	Load(Param("planeStride"), l.nextPlane)
	SUBQ(l.n, l.nextPlane)
	MOVQ(l.n, l.left)
	SHRQ(U8(3), l.left)
	MOVQ(l.rows.stride, l.nextRows)
	SHLQ(U8(3), l.nextRows)
	SUBQ(l.left, l.nextRows)
	return l
}

// run ends the function; body does as many bytes of a plane as eight registers
// hold.
func (l bitLoop) run(body func()) {
	Label("plane")
	MOVQ(l.n, l.left)
	Label("loop")
	body()
	ADDQ(U32(octet*l.w.items()), l.plane)
	l.rows.advance(l.w.items())
	SUBQ(U32(octet*l.w.items()), l.left)
	JNZ(LabelRef("loop"))
	ADDQ(l.nextPlane, l.plane)
	for _, b := range l.rows.bases {
		ADDQ(l.nextRows, b)
	}
	DECQ(l.count)
	JNZ(LabelRef("plane"))
	VZEROUPPER()
	RET()
}

func bitRows(w width) bitLoop {
	return newBitLoop(w, "bitRows"+w.suffix, "dst *byte, stride int, planes *byte, planeStride int, n int, count int", "dst")
}

func bitBytes(w width) bitLoop {
	return newBitLoop(w, "bitBytes"+w.suffix, "planes *byte, planeStride int, src *byte, stride int, n int, count int", "src")
}

// diagonal is the matrix of 8 by 8 bits whose byte k has bit k. As the factor of
// VGF2P8AFFINEQB, which counts the rows of a matrix from the last byte, it turns
// the bits of every byte round; as the vector, it transposes the matrix, but for
// turning the bits of every byte round.
const diagonal = 0x8040201008040201

// bitRowsAVX512 makes rows of planes; n is a multiple of 512.
func bitRowsAVX512() {
	w := avx512
	l := bitRows(w)
	masks := w.masks(octet)
	turn := broadcast(diagonal, ZMM())
	indices := w.loadAll(w.skewIndex)
	l.run(func() {
		x := make([]VecVirtual, octet)
		for m := range x {
			x[m] = w.reg()
			VGF2P8AFFINEQB(U8(0), Mem{Base: l.plane, Disp: 64 * m}, turn, x[m])
			VGF2P8AFFINEQB(U8(0), turn, x[m], x[m])
			VPERMB(x[m], indices[m], x[m])
		}
		w.barrel(x, masks)
		w.storePlanes(x, l.rows, octet)
	})
}

// bitBytesAVX512 undoes bitRowsAVX512. Here the shuffle that is needed anyway
// turns the bytes of every matrix round, which amounts to the bits of its
// transpose.
func bitBytesAVX512() {
	w := avx512
	l := bitBytes(w)
	masks := w.masks(octet)
	turn := broadcast(diagonal, ZMM())
	indices := w.loadAll(w.unskewTurned)
	l.run(func() {
		x := make([]VecVirtual, octet)
		w.loadPlanes(x, l.rows, octet)
		w.barrel(x, masks)
		for m := range x {
			r := x[(octet-m)%octet]
			VPERMB(r, indices[m], r)
			VGF2P8AFFINEQB(U8(0), r, turn, r)
			w.move(r, Mem{Base: l.plane, Disp: 64 * m})
		}
	})
}

// loadAll loads the indices of eight registers.
func (w width) loadAll(index func(size, m int) Mem) (indices [octet]VecVirtual) {
	for m := range indices {
		indices[m] = w.reg()
		w.move(index(octet, m), indices[m])
	}
	return indices
}

// unskewTurned is unskewIndex with the bytes of each item in reverse.
func (w width) unskewTurned(size, m int) Mem {
	chunk := w.lane / size
	index := make([]int, w.lane)
	for p := range size {
		for i := range chunk {
			index[i*size+size-1-p] = (m-p+size)%size*chunk + i
		}
	}
	return table(fmt.Sprintf("unskewTurned%d", m), index)
}
