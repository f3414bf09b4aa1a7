package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Rows of bits are made of a plane of bytes by taking eight bytes for an item,
// whose planes hold every eighth byte; and then the bits of these eight planes
// are transposed.

const octet = 8

// swapBits exchanges the bits of b under a mask with those of a that are shift
// places higher, by way of t.
func swapBits(a, b, mask, t VecVirtual, shift uint64) {
	VPSRLQ(Imm(shift), a, t)
	VPXOR(b, t, t)
	VPAND(mask, t, t)
	VPXOR(t, b, b)
	VPSLLQ(Imm(shift), t, t)
	VPXOR(t, a, a)
}

// transposeBits transposes the bits of eight registers: bit k of register i and
// bit i of register k change places.
func transposeBits(x []VecVirtual, masks map[int]VecVirtual) {
	t := YMM()
	for b := 4; b > 0; b /= 2 {
		for i := range octet {
			if i&b == 0 {
				swapBits(x[i], x[i+b], masks[b], t, uint64(b))
			}
		}
	}
}

// bitMasks are the masks of transposeBits.
func bitMasks() map[int]VecVirtual {
	return map[int]VecVirtual{
		4: broadcast(0x0f0f0f0f0f0f0f0f, YMM()),
		2: broadcast(0x3333333333333333, YMM()),
		1: broadcast(0x5555555555555555, YMM()),
	}
}

// broadcast fills a register with a word.
func broadcast(word uint64, to VecVirtual) VecVirtual {
	r, x := GP64(), XMM()
	MOVQ(U64(word), r)
	VMOVQ(r, x)
	VPBROADCASTQ(x, to)
	return to
}

// bitRowsAVX2: n bytes of plane, a multiple of 256, to eight rows.
func bitRowsAVX2() {
	w := avx2
	TEXT("bitRowsAVX2", NOSPLIT, "func(dst *byte, stride int, plane *byte, n int)")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), octet)
	src, n := Load(Param("plane"), GP64()), Load(Param("n"), GP64())
	masks := bitMasks()
	Label("loop")
	x := make([]VecVirtual, octet)
	for m := range x {
		x[m] = w.reg()
		VMOVDQU(Mem{Base: src, Disp: 16 * m}, x[m].AsX())
		VINSERTI128(U8(1), Mem{Base: src, Disp: 16 * (m + octet)}, x[m], x[m])
		VPSHUFB(w.skewIndex(octet, m), x[m], x[m])
	}
	w.barrel(x, nil)
	y := make([]VecVirtual, octet)
	for p := range y {
		y[p] = w.rotate(p, octet, x[(octet-p)%octet])
	}
	transposeBits(y, masks)
	for p := range y {
		VMOVDQU(y[p], dst.at(p))
	}
	ADDQ(U32(octet*w.items()), src)
	dst.advance(w.items())
	SUBQ(U32(octet*w.items()), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// bitBytesAVX2 undoes bitRowsAVX2.
func bitBytesAVX2() {
	w := avx2
	TEXT("bitBytesAVX2", NOSPLIT, "func(plane *byte, src *byte, stride int, n int)")
	Pragma("noescape")
	dst, n := Load(Param("plane"), GP64()), Load(Param("n"), GP64())
	src := newPlanes(Load(Param("src"), GP64()), Load(Param("stride"), GP64()), octet)
	masks := bitMasks()
	Label("loop")
	y := make([]VecVirtual, octet)
	for p := range y {
		y[p] = w.reg()
		VMOVDQU(src.at(p), y[p])
	}
	transposeBits(y, masks)
	x := make([]VecVirtual, octet)
	for p := range y {
		x[(octet-p)%octet] = w.rotate(p, octet, y[p])
	}
	w.barrel(x, nil)
	for m := range x {
		r := x[(octet-m)%octet]
		VPSHUFB(w.unskewIndex(octet, m), r, r)
		VMOVDQU(r.AsX(), Mem{Base: dst, Disp: 16 * m})
		VEXTRACTI128(U8(1), r, Mem{Base: dst, Disp: 16 * (m + octet)})
	}
	ADDQ(U32(octet*w.items()), dst)
	src.advance(w.items())
	SUBQ(U32(octet*w.items()), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// diagonal is the matrix of 8 by 8 bits whose byte k has bit k. As the factor of
// VGF2P8AFFINEQB, which counts the rows of a matrix from the last byte, it turns
// the bits of every byte round; as the vector, it transposes the matrix, but for
// turning the bits of every byte round.
const diagonal = 0x8040201008040201

// bitRowsAVX512: n bytes of plane, a multiple of 512, to eight rows.
func bitRowsAVX512() {
	w := avx512
	TEXT("bitRowsAVX512", NOSPLIT, "func(dst *byte, stride int, plane *byte, n int)")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), octet)
	src, n := Load(Param("plane"), GP64()), Load(Param("n"), GP64())
	masks := w.masks(octet)
	turn := broadcast(diagonal, ZMM())
	var indices [octet]VecVirtual
	for m := range indices {
		indices[m] = w.reg()
		w.move(w.skewIndex(octet, m), indices[m])
	}
	Label("loop")
	x := make([]VecVirtual, octet)
	for m := range x {
		x[m] = w.reg()
		VGF2P8AFFINEQB(U8(0), Mem{Base: src, Disp: 64 * m}, turn, x[m])
		VGF2P8AFFINEQB(U8(0), turn, x[m], x[m])
		VPERMB(x[m], indices[m], x[m])
	}
	w.barrel(x, masks)
	w.storePlanes(x, dst, octet)
	ADDQ(U32(octet*w.items()), src)
	dst.advance(w.items())
	SUBQ(U32(octet*w.items()), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// bitBytesAVX512 undoes bitRowsAVX512. Here the shuffle that is needed anyway
// turns the bytes of every matrix round, which amounts to the bits of its
// transpose.
func bitBytesAVX512() {
	w := avx512
	TEXT("bitBytesAVX512", NOSPLIT, "func(plane *byte, src *byte, stride int, n int)")
	Pragma("noescape")
	dst, n := Load(Param("plane"), GP64()), Load(Param("n"), GP64())
	src := newPlanes(Load(Param("src"), GP64()), Load(Param("stride"), GP64()), octet)
	masks := w.masks(octet)
	turn := broadcast(diagonal, ZMM())
	var indices [octet]VecVirtual
	for m := range indices {
		indices[m] = w.reg()
		w.move(w.unskewTurned(m), indices[m])
	}
	Label("loop")
	x := make([]VecVirtual, octet)
	w.loadPlanes(x, src, octet)
	w.barrel(x, masks)
	for m := range x {
		r := x[(octet-m)%octet]
		VPERMB(r, indices[m], r)
		VGF2P8AFFINEQB(U8(0), r, turn, r)
		w.move(r, Mem{Base: dst, Disp: 64 * m})
	}
	ADDQ(U32(octet*w.items()), dst)
	src.advance(w.items())
	SUBQ(U32(octet*w.items()), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// unskewTurned is unskewIndex with the bytes of each item in reverse.
func (w width) unskewTurned(m int) Mem {
	chunk := w.lane / octet
	index := make([]int, w.lane)
	for p := range octet {
		for i := range chunk {
			index[i*octet+7-p] = (m-p+octet)%octet*chunk + i
		}
	}
	return w.index("unskewTurned"+string(rune('0'+m)), index)
}
