package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gatherHalf writes a function that makes four of the eight planes of items of
// eight bytes: the first ones or the last. It is for planes that compete for
// places in the first-level cache. If delta, it does as gatherDelta, with AVX-512.
func (w width) gatherHalf(half int, delta bool) {
	const r = 4
	name := fmt.Sprintf("gather%s8%s%s", map[bool]string{true: "Delta"}[delta], [2]string{"Low", "High"}[half], w.suffix)
	TEXT(name, NOSPLIT, "func(dst *byte, stride int, src *byte, n int)")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), r)
	src, n := Load(Param("src"), GP64()), Load(Param("n"), GP64())
	masks := w.masks(r)
	second := w.reg()
	var raw *inOrder
	if delta {
		raw = newInOrder(src)
	}
	var indices [r]VecVirtual
	for m := 0; m < r && w.lane == 64; m++ {
		indices[m] = w.reg()
		w.move(w.halfIndex(m), indices[m])
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
			VMOVDQU(Mem{Base: src, Disp: 32*m + 16*i}, to.AsX())
			VINSERTI128(U8(1), Mem{Base: src, Disp: 32*m + 16*i + 128}, to, to)
		}
		if w.lane == 64 {
			w.halves(half, second, x[m])
			VPERMB(x[m], indices[m], x[m])
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

// gatherQuarter writes a function that makes four of the sixteen planes of
// items of 16 bytes, from four times quarter on. If delta, it does as
// gatherDelta.
func (w width) gatherQuarter(delta bool) {
	const r, size = 4, 16
	name := fmt.Sprintf("gather%s16Quarter%s", map[bool]string{true: "Delta"}[delta], w.suffix)
	TEXT(name, NOSPLIT, "func(dst *byte, stride int, src *byte, quarter int, n int)")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), r)
	src, quarter, n := Load(Param("src"), GP64()), Load(Param("quarter"), GP64()), Load(Param("n"), GP64())
	masks := w.masks(r)
	first := w.loaded("firstWords", func(i int) int { // of each item of a register
		if i%4 > 0 {
			return 0
		}
		return i / 4 % 4 * 4
	})
	q := w.reg()
	VPBROADCASTD(quarter.(GPVirtual).As32(), q)
	VPADDD(q, first, first)
	var quarters [3]Register // masks of the second to fourth quarter of a register
	for i := range quarters {
		bits := GP32()
		MOVL(U32(0xf<<(4*(i+1))), bits)
		quarters[i] = K()
		KMOVW(bits, quarters[i])
	}
	var indices [r]VecVirtual
	for m := range indices {
		indices[m] = w.reg()
		w.move(w.skewIndex(r, m), indices[m])
	}
	before, less := w.reg(), w.reg()
	if delta {
		VPBROADCASTD(Mem{Base: src, Disp: -size, Index: quarter, Scale: 4}, before)
	}
	Label("loop")
	x := make([]VecVirtual, r)
	for m := range x {
		x[m] = w.reg()
		at := Mem{Base: src, Disp: 4 * 64 * m}
		VPERMD(at, first, x[m])
		for i, k := range quarters {
			VPERMD(at.Offset(64*(i+1)), first, k, x[m])
		}
	}
	if delta {
		y := make([]VecVirtual, r)
		for m := range x {
			y[m] = w.reg()
			VALIGND(U8(15), append([]VecVirtual{before}, x...)[m], x[m], less)
			VPSUBB(less, x[m], y[m])
		}
		w.move(x[r-1], before)
		x = y
	}
	for m := range x {
		VPERMB(x[m], indices[m], x[m])
	}
	w.barrel(x, masks)
	w.storePlanes(x, dst, r)
	ADDQ(U32(size*w.items()), src)
	dst.advance(w.items())
	w.next(n)
}
