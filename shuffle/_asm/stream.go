package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// stream writes the kernels that process memory from start to end, 128 bytes at a time.
func stream() {
	pairwise("xorAVX2", func(a, b, to Op) { VPXOR(a, b, to) })
	pairwise("subAVX2", func(a, b, to Op) { VPSUBB(a, b, to) })

	function("maskAVX2", "dst *byte, src *byte, mask uint64, n int")
	dst, a, n := arg("dst"), arg("src"), arg("n")
	mask, y := XMM(), YMM()
	VMOVQ(arg("mask"), mask)
	VPBROADCASTQ(mask, y)
	unrolled(n, []Register{dst, a}, func(at int, x VecVirtual) {
		VPAND(Mem{Base: a, Disp: at}, y, x)
	}, dst)

	function("byteDeltaAVX2", "dst *byte, src *byte, n int")
	dst, a, n = arg("dst"), arg("src"), arg("n")
	unrolled(n, []Register{dst, a}, func(at int, x VecVirtual) {
		VMOVDQU(Mem{Base: a, Disp: at + 1}, x)
		VPSUBB(Mem{Base: a, Disp: at}, x, x)
	}, dst)
}

// pairwise writes a function that combines the bytes of a with those of b.
func pairwise(name string, combine func(b, a, to Op)) {
	function(name, "dst *byte, a *byte, b *byte, n int")
	dst, a, b, n := arg("dst"), arg("a"), arg("b"), arg("n")
	unrolled(n, []Register{dst, a, b}, func(at int, x VecVirtual) {
		VMOVDQU(Mem{Base: a, Disp: at}, x)
		combine(Mem{Base: b, Disp: at}, x, x)
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
	next(n, 128)
}

// scan writes a function that combines every byte with the result stride bytes before it.
// n, the number of bytes, is a multiple of 32. The bytes that carry over from one
// register to the next are kept separately, so only one operation per register has to
// wait for the previous register.
func scan(name string, stride int, combine func(a, b, to Op)) {
	function(name, "dst *byte, src *byte, n int")
	dst, src, n := arg("dst"), arg("src"), arg("n")
	// The last stride bytes of a lane, repeated.
	index := lanes(fmt.Sprintf("last%d", stride), func(i int) int { return 16 - stride + i%stride })
	carry := YMM()
	VPXOR(carry, carry, carry)
	Label("loop")
	x, t := YMM(), YMM()
	VMOVDQU(Mem{Base: src}, x)
	for shift := stride; shift < 16; shift *= 2 {
		VPSLLDQ(U8(shift), x, t)
		combine(t, x, x)
	}
	// Combine the bytes within each lane first, then combine the upper lane with the end
	// of the lower one.
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
	next(n, 32)
}
