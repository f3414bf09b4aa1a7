package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// How the transposes of AVX2 work. The number of a register and that of an
// element in a lane of 16 bytes are seen as one string of bits: of eight
// registers, abc, with elements of one byte, defg. To interleave the registers
// that are four apart turns this string round by one place, into bcd efga. So
// eight planes, abc, of which defg are neighbouring bytes, become registers def
// of which each has two items, g, of eight bytes, abc, after three turns. And
// registers of two items whose bytes have been parted into eight elements of
// two bytes, abc def, become planes as well, def abc. Registers are loaded or
// stored so that the upper lane has items that follow on those of all lower
// ones.
//
// Zen 5 does four unpacks or blends a cycle, and two shuffles of other kinds.
// With these and blends, as for AVX-512, 32 items of eight bytes took it 18 to
// 23 cycles and 18 back; this takes 12 to 13, and 10 back. A processor that
// does one shuffle a cycle, of whatever kind, has 32 of them to do for 23.
// Lanes put together by blends from memory were 3 % faster where items are
// aligned, and up to 20 % slower where not; the order of operations hardly
// mattered.

// interleave returns, for pairs of registers of which one is in the first half
// and the other in the second, the lower and the upper halves of their lanes,
// elements of size bytes of both by turns.
func interleave(x []VecVirtual, size int) []VecVirtual {
	ops := map[int][2]func(a, b, to Op){
		1: {func(a, b, to Op) { VPUNPCKLBW(a, b, to) }, func(a, b, to Op) { VPUNPCKHBW(a, b, to) }},
		2: {func(a, b, to Op) { VPUNPCKLWD(a, b, to) }, func(a, b, to Op) { VPUNPCKHWD(a, b, to) }},
		4: {func(a, b, to Op) { VPUNPCKLDQ(a, b, to) }, func(a, b, to Op) { VPUNPCKHDQ(a, b, to) }},
		8: {func(a, b, to Op) { VPUNPCKLQDQ(a, b, to) }, func(a, b, to Op) { VPUNPCKHQDQ(a, b, to) }},
	}[size]
	y := make([]VecVirtual, len(x))
	t := YMM() // the only one beside x, as there are but 16
	if x[0].Size() == 64 {
		t = ZMM()
	}
	for m := range len(x) / 2 {
		a, b := x[m], x[m+len(x)/2]
		ops[0](b, a, t)
		ops[1](b, a, a)
		y[2*m], y[2*m+1] = t, a
		t = b
	}
	return y
}

// turn interleaves registers until their numbers have become those of elements.
func turn(x []VecVirtual, size int) []VecVirtual {
	for r := len(x); r > 1; r /= 2 {
		x = interleave(x, size)
	}
	return x
}

// parted loads the shuffle of a lane that parts the bytes of items of r bytes.
func parted(r int) VecVirtual {
	index := make([]int, 16)
	for i := range index {
		index[i] = i%(16/r)*r + i/(16/r)
	}
	x := YMM()
	VMOVDQU(lanes(fmt.Sprintf("parted%d", r), index), x)
	return x
}

// gatherAVX2 writes a function that makes planes of n items of r bytes, n being
// a multiple of 32.
func gatherAVX2(r int) {
	TEXT(fmt.Sprintf("gather%dAVX2", r), NOSPLIT, "func(dst *byte, stride int, src *byte, n int)")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), r)
	src, n := Load(Param("src"), GP64()), Load(Param("n"), GP64())
	index := parted(r)
	Label("loop")
	x := make([]VecVirtual, r)
	for m := range x {
		x[m] = YMM()
		VBROADCASTI128(Mem{Base: src, Disp: 16 * m}, x[m])
		VINSERTI128(U8(1), Mem{Base: src, Disp: 16 * (m + r)}, x[m], x[m])
		VPSHUFB(index, x[m], x[m])
	}
	dst.store(turn(x, 16/r))
	ADDQ(U32(32*r), src)
	dst.advance(32)
	next(n, 32)
}

// gatherColsAVX2 does the same with the first bytes of items that are size
// bytes apart, of which it reads eight.
func gatherColsAVX2(cols int) {
	TEXT(fmt.Sprintf("gatherCols%dAVX2", cols), NOSPLIT, "func(dst *byte, stride int, src *byte, size int, n int)")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), cols)
	src, n := Load(Param("src"), GP64()), Load(Param("n"), GP64())
	in := newItems(src, Load(Param("size"), GP64()))
	Label("loop")
	x := make([]VecVirtual, 8)
	for m := range x {
		x[m] = in.load()
	}
	dst.store(turn(x, 2)[:cols])
	in.advance()
	dst.advance(32)
	next(n, 32)
}

// scatterAVX2 writes a function that undoes gatherAVX2's.
func scatterAVX2(r int) {
	TEXT(fmt.Sprintf("scatter%dAVX2", r), NOSPLIT, "func(dst *byte, src *byte, stride int, n int)")
	Pragma("noescape")
	dst, n := Load(Param("dst"), GP64()), Load(Param("n"), GP64())
	src := newPlanes(Load(Param("src"), GP64()), Load(Param("stride"), GP64()), r)
	Label("loop")
	x := make([]VecVirtual, r)
	for p := range x {
		x[p] = src.load(p)
	}
	x = turn(x, 1)
	for m := 0; m < r; m += 2 {
		lower, upper := YMM(), YMM()
		VPERM2I128(U8(0x20), x[m+1], x[m], lower)
		VPERM2I128(U8(0x31), x[m+1], x[m], upper)
		VMOVDQU(lower, Mem{Base: dst, Disp: 16 * m})
		VMOVDQU(upper, Mem{Base: dst, Disp: 16 * (m + r)})
	}
	ADDQ(U32(32*r), dst)
	src.advance(32)
	next(n, 32)
}

// scatterColsAVX2 writes a function that undoes gatherColsAVX2's, but writes
// eight bytes of each item, in ascending order.
func scatterColsAVX2(cols int) {
	TEXT(fmt.Sprintf("scatterCols%dAVX2", cols), NOSPLIT, "func(dst *byte, size int, src *byte, stride int, n int)")
	Pragma("noescape")
	dst, n := Load(Param("dst"), GP64()), Load(Param("n"), GP64())
	src := newPlanes(Load(Param("src"), GP64()), Load(Param("stride"), GP64()), cols)
	out := newItems(dst, Load(Param("size"), GP64()))
	Label("loop")
	x := make([]VecVirtual, 8)
	for p := range x {
		x[p] = src.load(min(p, cols-1))
	}
	x = turn(x, 1)
	for _, y := range x {
		out.storeLow(y)
	}
	for _, y := range x {
		out.storeHigh(y)
	}
	out.advance()
	src.advance(32)
	next(n, 32)
}
