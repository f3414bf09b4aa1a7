package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gatherHalf writes a function that makes four of the eight planes of items of
// eight bytes: the first ones or the last. It is for planes that compete for
// places in the first-level cache.
func (w width) gatherHalf(half int) {
	const r = 4
	name := fmt.Sprintf("gather8%s%s", [2]string{"Low", "High"}[half], w.suffix)
	TEXT(name, NOSPLIT, "func(dst *byte, stride int, src *byte, n int)")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), r)
	src, n := Load(Param("src"), GP64()), Load(Param("n"), GP64())
	masks := w.masks(r)
	Label("loop")
	x := make([]VecVirtual, r)
	for m := range x {
		x[m] = w.reg()
		second := w.reg()
		if w.lane == 64 {
			w.move(Mem{Base: src, Disp: 128 * m}, x[m])
			w.halves(half, Mem{Base: src, Disp: 128*m + 64}, x[m])
			w.permute(w.halfIndex(m), x[m])
			continue
		}
		for i, to := range []VecVirtual{x[m], second} {
			VMOVDQU(Mem{Base: src, Disp: 32*m + 16*i}, to.AsX())
			VINSERTI128(U8(1), Mem{Base: src, Disp: 32*m + 16*i + 128}, to, to)
		}
		w.halves(half, second, x[m])
		VPSHUFB(w.skewIndex(r, m), x[m], x[m])
	}
	w.barrel(x, masks)
	w.storePlanes(x, dst, r)
	ADDQ(U32(8*w.items()), src)
	dst.advance(w.items())
	w.next(n)
}

// halves leaves the low or high halves of the items of two registers in one:
// in each 16 bytes, two items of the first and two of the second.
func (w width) halves(half int, second Op, first VecVirtual) {
	VSHUFPS(U8([2]int{0x88, 0xdd}[half]), second, first, first)
}

// halfIndex is skewIndex for what halves leaves in register m of four.
func (w width) halfIndex(m int) Mem {
	index := make([]int, 64)
	for p := range 4 {
		for i := range 16 {
			at := i/2%4*16 + i/8*8 + i%2*4
			index[(p+m)%4*16+i] = at + p
		}
	}
	return w.index(fmt.Sprintf("skewHalf%d%s", m, w.suffix), index)
}

// permute shuffles the bytes of a register of AVX-512.
func (w width) permute(index Mem, r VecVirtual) {
	i := w.reg()
	w.move(index, i)
	VPERMB(r, i, r)
}
