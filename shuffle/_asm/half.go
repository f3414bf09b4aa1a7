package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gatherHalf writes a function that makes four of the eight planes of items of
// eight bytes: the first ones or the last. It is for planes that compete for
// places in the first-level cache. If delta, it does as gatherDelta.
func (w width) gatherHalf(half int, delta bool) {
	const r = 4
	name := fmt.Sprintf("gather%s8%s%s", map[bool]string{true: "Delta"}[delta], [2]string{"Low", "High"}[half], w.suffix)
	TEXT(name, NOSPLIT, "func(dst *byte, stride int, src *byte, n int)")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), r)
	src, n := Load(Param("src"), GP64()), Load(Param("n"), GP64())
	masks := w.masks(r)
	second, before := w.reg(), w.reg()
	var raw *inOrder
	if delta && w.lane == 64 {
		raw = newInOrder(src)
	}
	Label("loop")
	x := make([]VecVirtual, r)
	for m := range x {
		x[m] = w.reg()
		for i, to := range []VecVirtual{x[m], second} {
			if w.lane == 64 {
				at := Mem{Base: src, Disp: 128*m + 64*i}
				if delta {
					raw.less(8, at, to)
				} else {
					w.move(at, to)
				}
				continue
			}
			load := func(at int, to VecVirtual) {
				VMOVDQU(Mem{Base: src, Disp: at + 32*m + 16*i}, to.AsX())
				VINSERTI128(U8(1), Mem{Base: src, Disp: at + 32*m + 16*i + 128}, to, to)
			}
			load(0, to)
			if delta {
				load(-8, before)
				VPSUBB(before, to, to)
			}
		}
		if w.lane == 64 {
			w.halves(half, second, x[m])
			w.permute(w.halfIndex(m), x[m])
			continue
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
