package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// AVX2 has no instruction for matrices of bits, so the bits of registers are exchanged
// with shifts and masks. For that, register j must hold the items with number j in their
// octets. Loaded as below, register m holds 16 bytes starting at 16m, and in its upper
// lane those 128 bytes later. Write the number of a register and that of an element in
// its lane as one string of bits: m2 m1 m0 e1 e0 for items of four bytes. Interleaving
// the registers that are four apart rotates this string by one position, to m1 m0 e1 e0
// m2. The goal is to move e1 e0, the lowest bits of the item's number, into the
// register's number. That takes no shuffles other than unpacks, which every processor
// executes on at least as many ports as other shuffles.

// bitItemsAVX2 writes a function that transposes the bits of items of size bytes.
// It writes the items for bits 0 to 7 to dst, stride bytes apart. n, the number of
// bytes, is a multiple of 256.
func bitItemsAVX2(size int) {
	dst, src, n := transposer(fmt.Sprintf("bitItems%dAVX2", size), octet, "n int")
	masks := bitMasks()
	Label("loop")
	x := make([]VecVirtual, octet)
	for m := range x {
		x[m] = YMM()
		VMOVDQU(Mem{Base: src, Disp: 16 * m}, x[m].AsX())
		VINSERTI128(U8(1), Mem{Base: src, Disp: 16 * (m + octet)}, x[m], x[m])
	}
	for s := size; s < 16; s *= 2 {
		x = interleave(x, size)
	}
	transposeBits(x, masks)
	dst.store(x)
	dst.next(32, src, 256, n, 256)
}

// bitOctetsAVX2 undoes bitItemsAVX2.
func bitOctetsAVX2(size int) {
	src, dst, n := transposer(fmt.Sprintf("bitOctets%dAVX2", size), octet, "n int")
	masks := bitMasks()
	Label("loop")
	x := make([]VecVirtual, octet)
	for m := range x {
		x[m] = src.load(m)
	}
	transposeBits(x, masks)
	switch size { // choose the direction with fewer steps
	case 1, 2:
		for range 3 {
			x = interleave(x, size)
		}
	case 4, 8:
		for s := size; s < 16; s *= 2 {
			x = part(x, size)
		}
	}
	for m := range x {
		VMOVDQU(x[m].AsX(), Mem{Base: dst, Disp: 16 * m})
		VEXTRACTI128(U8(1), x[m], Mem{Base: dst, Disp: 16 * (m + octet)})
	}
	src.next(32, dst, 256, n, 256)
}

// part undoes interleave, for elements of four or eight bytes.
func part(x []VecVirtual, size int) []VecVirtual {
	y := make([]VecVirtual, octet)
	t := YMM()
	for m := range octet / 2 {
		a, b := x[2*m], x[2*m+1]
		if size == 4 {
			VSHUFPS(U8(0x88), b, a, t)
			VSHUFPS(U8(0xdd), b, a, a)
		} else {
			VPUNPCKLQDQ(b, a, t)
			VPUNPCKHQDQ(b, a, a)
		}
		y[m], y[m+4] = t, a
		t = b
	}
	return y
}

// swapBits exchanges the bits of b under a mask with those of a that are shift
// positions higher. t is a temporary register.
func swapBits(a, b, mask, t VecVirtual, shift uint64) {
	VPSRLQ(Imm(shift), a, t)
	VPXOR(b, t, t)
	VPAND(mask, t, t)
	VPXOR(t, b, b)
	VPSLLQ(Imm(shift), t, t)
	VPXOR(t, a, a)
}

// transposeBits transposes the bits of eight registers: it exchanges bit k of
// register i and bit i of register k.
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

// bitMasks holds the masks of transposeBits.
func bitMasks() map[int]VecVirtual {
	return map[int]VecVirtual{
		4: broadcast(0x0f0f0f0f0f0f0f0f, YMM()),
		2: broadcast(0x3333333333333333, YMM()),
		1: broadcast(0x5555555555555555, YMM()),
	}
}
