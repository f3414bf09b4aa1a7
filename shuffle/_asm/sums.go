package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// scatterSums writes scatter with differences for items of r = 4 or 8 bytes. First the planes of 64
// items become items, in an order in which each register has one of r adjacent items. So
// it takes one addition per register to sum these. Only the last register is summed
// within itself: it then holds the sums of all previous items, and is added to all
// registers. At the end the items are put in order.
//
// As for the unpacks of AVX2, write the numbers of registers, of lanes and of elements as
// one string of bits. A p is a bit of a plane's number, and a digit is a bit of an item's
// number. Eight planes are loaded as ppp 54 2103, and are transposed to 210 54 3ppp for
// the sums. These become 213 54 0ppp by interleaving, and 543 21 0ppp by exchanging
// lanes. Four planes go from pp 54 1032 to 10 54 32pp, 32 54 10pp and 54 32 10pp.
//
// Summing within a register takes long, so the function loads the next registers at the
// same time.
func scatterSums(r int) {
	src, dst, n := transposer(fmt.Sprintf("scatterDelta%dAVX512", r), r, "n int")
	low := bits.Len(uint(r)) - 1 // bits of an item's number that become bits of the register's
	index := loaded(fmt.Sprintf("lowBitsFirst%d", r), func(i int) int {
		e := i % 16
		return i/16*16 + e%(16>>low)<<low + e>>(4-low)
	})
	carry := ZMM() // bytes of the last item before these, repeated
	VPXORQ(carry, carry, carry)
	var steps []func(x, t VecVirtual)
	for d := r; d < 64; d *= 2 {
		if d < 16 {
			steps = append(steps, func(x, t VecVirtual) { VPSLLDQ(U8(d), x, t) })
			continue
		}
		lower := loaded(fmt.Sprintf("lower%dx%d", r, d), func(i int) int { return i&^(2*d-1) + d - r + i%r })
		upper := bytesWhere(func(i int) bool { return i&d != 0 })
		steps = append(steps, func(x, t VecVirtual) { VPERMB_Z(x, lower, upper, t) })
	}
	last := loaded(fmt.Sprintf("lastOf%d", r), func(i int) int { return 64 - r + i%r })
	before := loaded(fmt.Sprintf("before%d", r), func(i int) int { return max(i-r, 0) })
	notFirst := bytesWhere(func(i int) bool { return i >= r })

	load := func() []VecVirtual {
		x := make([]VecVirtual, r)
		for p := range x {
			x[p] = ZMM()
			VPERMB(src.at(p), index, x[p])
		}
		x = turn(x, 1)
		for m := 1; m < r; m++ {
			VPADDB(x[m-1], x[m], x[m])
		}
		src.advance(64)
		return x
	}
	x, total, sums := make([]VecVirtual, r), ZMM(), ZMM()
	hold := func(loaded []VecVirtual) {
		for m := range x {
			if x[m] == nil {
				x[m] = ZMM()
			}
			VMOVDQU64(loaded[m], x[m])
		}
		VMOVDQU64(x[r-1], total)
		for _, step := range steps {
			step(total, sums)
			VPADDB(sums, total, total)
		}
		VPERMB_Z(total, before, notFirst, sums)
		VPADDB(carry, sums, sums)
		VPERMB(total, last, total)
		VPADDB(total, carry, carry)
	}
	store := func() {
		for m := range x {
			VPADDB(sums, x[m], x[m])
		}
		y, groups := x, 1
		if r == 8 {
			y, groups = interleave([]VecVirtual{x[0], x[2], x[4], x[6], x[1], x[3], x[5], x[7]}, 8), 2
		} else {
			y = turn(x, 4)
		}
		for g := range groups {
			for i, z := range lanesAcross(y[g], y[groups+g], y[2*groups+g], y[3*groups+g]) {
				VMOVDQU64(z, Mem{Base: dst, Disp: 64 * (groups*i + g)})
			}
		}
		ADDQ(U32(64*r), dst)
	}
	hold(load())
	SUBQ(U32(64), n)
	JZ(LabelRef("end"))
	Label("loop")
	loaded := load()
	store()
	hold(loaded)
	SUBQ(U32(64), n)
	JNZ(LabelRef("loop"))
	Label("end")
	store()
	VZEROUPPER()
	RET()
}

// lanesAcross transposes the lanes of four registers.
func lanesAcross(a, b, c, d VecVirtual) [4]VecVirtual {
	const even, odd = 0x88, 0xdd // two lanes of the first register, and two of the second
	e, f, g, h := ZMM(), ZMM(), ZMM(), ZMM()
	VSHUFI64X2(U8(even), b, a, e)
	VSHUFI64X2(U8(odd), b, a, a)
	VSHUFI64X2(U8(even), d, c, f)
	VSHUFI64X2(U8(odd), d, c, c)
	VSHUFI64X2(U8(even), f, e, g)
	VSHUFI64X2(U8(odd), f, e, e)
	VSHUFI64X2(U8(even), c, a, h)
	VSHUFI64X2(U8(odd), c, a, a)
	return [4]VecVirtual{g, h, e, a}
}

// bytesWhere returns a mask of the bytes of a register for which the given function is
// true.
func bytesWhere(is func(i int) bool) Register {
	var mask uint64
	for i := range 64 {
		if is(i) {
			mask |= 1 << i
		}
	}
	r, k := GP64(), K()
	MOVQ(U64(mask), r)
	KMOVQ(r, k)
	return k
}
