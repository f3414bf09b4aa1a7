package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// stream writes the kernels that pass over memory once, 128 bytes at a time.
func stream() {
	TEXT("xorAVX2", NOSPLIT, "func(dst *byte, a *byte, b *byte, n int)")
	Pragma("noescape")
	dst, a, b, n := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("n"), GP64())
	unrolled(n, []Register{dst, a, b}, func(at int, x VecVirtual) {
		VMOVDQU(Mem{Base: a, Disp: at}, x)
		VPXOR(Mem{Base: b, Disp: at}, x, x)
	}, dst)

	TEXT("subAVX2", NOSPLIT, "func(dst *byte, a *byte, b *byte, n int)")
	Pragma("noescape")
	dst, a, b, n = Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("n"), GP64())
	unrolled(n, []Register{dst, a, b}, func(at int, x VecVirtual) {
		VMOVDQU(Mem{Base: a, Disp: at}, x)
		VPSUBB(Mem{Base: b, Disp: at}, x, x)
	}, dst)

	TEXT("maskAVX2", NOSPLIT, "func(dst *byte, src *byte, mask uint64, n int)")
	Pragma("noescape")
	dst, a, n = Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	mask, y := XMM(), YMM()
	VMOVQ(Load(Param("mask"), GP64()), mask)
	VPBROADCASTQ(mask, y)
	unrolled(n, []Register{dst, a}, func(at int, x VecVirtual) {
		VPAND(Mem{Base: a, Disp: at}, y, x)
	}, dst)

	TEXT("byteDeltaAVX2", NOSPLIT, "func(dst *byte, src *byte, n int)")
	Pragma("noescape")
	dst, a, n = Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	unrolled(n, []Register{dst, a}, func(at int, x VecVirtual) {
		VMOVDQU(Mem{Base: a, Disp: at + 1}, x)
		VPSUBB(Mem{Base: a, Disp: at}, x, x)
	}, dst)
}

// unrolled ends a function with a loop that makes and stores four registers. All
// are loaded before any is stored, so that dst may be a source.
func unrolled(n Register, pointers []Register, get func(at int, x VecVirtual), dst Register) {
	Label("loop")
	var x [4]VecVirtual
	for i := range x {
		x[i] = YMM()
		get(32*i, x[i])
	}
	for i := range x {
		VMOVDQU(x[i], Mem{Base: dst, Disp: 32 * i})
	}
	for _, p := range pointers {
		ADDQ(U32(128), p)
	}
	SUBQ(U32(128), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// scan writes a function that combines every byte of n, a multiple of 32, with the
// result stride bytes before. What carries over from one register to the next is
// kept separately, so that only one operation per register waits for the previous
// one.
func scan(name string, stride int, combine func(a, b, to Op)) {
	TEXT(name, NOSPLIT, "func(dst *byte, src *byte, n int)")
	Pragma("noescape")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	last := make([]int, 16) // the lane's last stride bytes, repeated
	for i := range last {
		last[i] = 16 - stride + i%stride
	}
	index, carry := YMM(), YMM()
	VMOVDQU(lanes(fmt.Sprintf("last%d", stride), last), index)
	VPXOR(carry, carry, carry)
	Label("loop")
	x, t := YMM(), YMM()
	VMOVDQU(Mem{Base: src}, x)
	for shift := stride; shift < 16; shift *= 2 {
		VPSLLDQ(U8(shift), x, t)
		combine(t, x, x)
	}
	// First within lanes, then from the lower to the upper.
	VPERM2I128(U8(0x08), x, x, t)
	VPSHUFB(index, t, t)
	combine(t, x, x)
	VPERM2I128(U8(0x11), x, x, t)
	VPSHUFB(index, t, t)
	combine(carry, x, x)
	combine(t, carry, carry)
	VMOVDQU(x, Mem{Base: dst})
	ADDQ(U32(32), src)
	ADDQ(U32(32), dst)
	SUBQ(U32(32), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
