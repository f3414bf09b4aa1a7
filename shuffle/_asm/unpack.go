package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The transposes for AVX2 work as follows. Write the number of a register and that of an
// element in a lane of 16 bytes as one string of bits: abc defg for eight registers and
// elements of one byte. Interleaving the registers that are four apart rotates this
// string by one position, to bcd efga. So three rotations turn eight planes, abc, with
// adjacent bytes, defg, into registers def that each hold two items, g, of eight bytes,
// abc. In the same way, registers of two items with their bytes separated into eight
// elements of two bytes, abc def, become planes, def abc. Registers are loaded or stored
// so that the upper lanes have the items that follow those of all lower lanes.
//
// Zen 5 executes four unpacks or blends per cycle, and two shuffles of other kinds. An
// implementation with shuffles and blends, as for AVX-512, took 18 to 23 cycles for 32
// items of eight bytes, and 18 for the inverse. This one takes 12 to 13, and 10 for the
// inverse. On a processor that executes one shuffle of any kind per cycle, it needs 32
// shuffles instead of 23. Combining lanes by blends from memory was 3 % faster for
// aligned items, and up to 20 % slower for others. The order of operations hardly
// mattered.

// interleave combines each register of the first half with its counterpart in the second
// half. The two results hold the lower and the upper halves of their lanes, with elements
// of size bytes of both alternating.
func interleave(x []VecVirtual, size int) []VecVirtual {
	ops := map[int][2]func(a, b, to Op){
		1: {func(a, b, to Op) { VPUNPCKLBW(a, b, to) }, func(a, b, to Op) { VPUNPCKHBW(a, b, to) }},
		2: {func(a, b, to Op) { VPUNPCKLWD(a, b, to) }, func(a, b, to Op) { VPUNPCKHWD(a, b, to) }},
		4: {func(a, b, to Op) { VPUNPCKLDQ(a, b, to) }, func(a, b, to Op) { VPUNPCKHDQ(a, b, to) }},
		8: {func(a, b, to Op) { VPUNPCKLQDQ(a, b, to) }, func(a, b, to Op) { VPUNPCKHQDQ(a, b, to) }},
	}[size]
	y := make([]VecVirtual, len(x))
	t := YMM() // the only register besides those in x, because there are 16
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

// turn interleaves the registers until the bits of their numbers have become bits of the
// numbers of elements.
func turn(x []VecVirtual, size int) []VecVirtual {
	for r := len(x); r > 1; r /= 2 {
		x = interleave(x, size)
	}
	return x
}

// parted returns a register with the shuffle that separates the bytes of items of r bytes
// within a lane.
func parted(r int) VecVirtual {
	return lanes(fmt.Sprintf("parted%d", r), func(i int) int { return i%(16/r)*r + i/(16/r) })
}

// gatherAVX2 writes a function that makes planes of n items of r bytes, n being
// a multiple of 32.
func gatherAVX2(r int) {
	dst, src, n := transposer(fmt.Sprintf("gather%dAVX2", r), r, "n int")
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
	dst.next(32, src, 32*r, n, 32)
}

// gatherColsAVX2 writes a function like that of gatherAVX2 for the first bytes of items
// that are size bytes apart. It reads eight bytes of each item.
func gatherColsAVX2(cols int) {
	dst, src, n := transposer(fmt.Sprintf("gatherCols%dAVX2", cols), cols, "size int, n int")
	in := newItems(src, arg("size"))
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

// scatterAVX2 writes a function that undoes the function of gatherAVX2.
func scatterAVX2(r int) {
	src, dst, n := transposer(fmt.Sprintf("scatter%dAVX2", r), r, "n int")
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
	src.next(32, dst, 32*r, n, 32)
}

// scatterColsAVX2 writes a function that undoes the function of gatherColsAVX2. It writes
// eight bytes of each item, in ascending order.
func scatterColsAVX2(cols int) {
	src, dst, n := transposer(fmt.Sprintf("scatterCols%dAVX2", cols), cols, "size int, n int")
	out := newItems(dst, arg("size"))
	Label("loop")
	x := make([]VecVirtual, 8)
	for p := range x {
		x[p] = src.load(min(p, cols-1))
	}
	x = turn(x, 1)
	for _, y := range x {
		out.store(out.low, y.AsX())
	}
	for _, y := range x {
		VEXTRACTI128(U8(1), y, y.AsX())
		out.store(out.high, y.AsX())
	}
	out.advance()
	src.advance(32)
	next(n, 32)
}
