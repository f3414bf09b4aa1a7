package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gatherQuarter writes a function that makes four of the sixteen planes of items of 16
// bytes, beginning with plane 4*quarter. If delta is true, the function computes
// differences as that of gather does, but its caller passes the previous item.
func gatherQuarter(delta bool) {
	const r, size = 4, 16
	name, args := "gather16QuarterAVX512", "quarter int, n int"
	if delta {
		name, args = "gatherDelta16QuarterAVX512", args+", last *byte"
	}
	dst, src, n := transposer(name, r, args)
	quarter := arg("quarter")
	masks := blendMasks(r)
	first := loaded("firstWords", func(i int) int { // indices of the first word of each item in a register
		if i%4 > 0 {
			return 0
		}
		return i / 4 % 4 * 4
	})
	q := ZMM()
	VPBROADCASTD(quarter.As32(), q)
	VPADDD(q, first, first)
	var quarters [3]Register // masks that select the second, third and fourth quarter of a register
	for i := range quarters {
		bits := GP32()
		MOVL(U32(0xf<<(4*(i+1))), bits)
		quarters[i] = K()
		KMOVW(bits, quarters[i])
	}
	indices := skewIndices(r, nil)
	before, less := ZMM(), ZMM()
	if delta {
		VPBROADCASTD(Mem{Base: arg("last"), Index: quarter, Scale: 4}, before)
	}
	Label("loop")
	x := make([]VecVirtual, r)
	for m := range x {
		x[m] = ZMM()
		at := Mem{Base: src, Disp: 4 * 64 * m}
		VPERMD(at, first, x[m])
		for i, k := range quarters {
			VPERMD(at.Offset(64*(i+1)), first, k, x[m])
		}
	}
	if delta {
		y := make([]VecVirtual, r)
		for m := range x {
			y[m] = ZMM()
			VALIGND(U8(15), append([]VecVirtual{before}, x...)[m], x[m], less)
			VPSUBB(less, x[m], y[m])
		}
		VMOVDQU64(x[r-1], before)
		x = y
	}
	for m := range x {
		VPERMB(x[m], indices[m], x[m])
	}
	barrel(x, masks)
	storePlanes(x, dst)
	dst.next(64, src, size*64, n, 64)
}
