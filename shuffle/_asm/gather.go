package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gather writes a function that makes planes of n items of R bytes, n being a
// multiple of 64.
func (w width) gather(r int) {
	w.gatherAs(fmt.Sprintf("gather%d%s", r, w.suffix), r, false)
}

// gatherDelta writes a function that takes items of R bytes less those before,
// byte by byte, and makes planes of that. It reads the 64 bytes before the first.
func (w width) gatherDelta(r int) {
	w.gatherAs(fmt.Sprintf("gatherDelta%d%s", r, w.suffix), r, true)
}

func (w width) gatherAs(name string, r int, delta bool) {
	TEXT(name, NOSPLIT, "func(dst *byte, stride int, src *byte, n int)")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), r)
	src, n := Load(Param("src"), GP64()), Load(Param("n"), GP64())
	masks := w.masks(r)
	x := make([]VecVirtual, r)
	var indices []VecVirtual // in registers, where there are enough
	if r <= 8 {
		for m := range r {
			indices = append(indices, w.reg())
			w.move(w.skewIndex(r, m), indices[m])
		}
	}
	var raw *inOrder
	if delta {
		raw = newInOrder(src)
	}
	Label("loop")
	for m := range x {
		x[m] = w.reg()
		switch {
		case delta:
			raw.less(r, Mem{Base: src, Disp: 64 * m}, x[m])
			index := w.reg()
			if indices != nil {
				index = indices[m]
			} else {
				w.move(w.skewIndex(r, m), index)
			}
			VPERMB(x[m], index, x[m])
		case indices != nil:
			VPERMB(Mem{Base: src, Disp: 64 * m}, indices[m], x[m])
		default:
			w.move(w.skewIndex(r, m), x[m])
			VPERMB(Mem{Base: src, Disp: 64 * m}, x[m], x[m])
		}
	}
	w.barrel(x, masks)
	w.storePlanes(x, dst, r)
	ADDQ(U32(r*w.items()), src)
	dst.advance(w.items())
	next(n, w.items())
}

func (w width) storePlanes(x []VecVirtual, dst planes, cols int) {
	for p := range cols {
		w.move(w.rotate(p, len(x), x[(len(x)-p)%len(x)]), dst.at(p))
	}
}

// loadPlanes loads the planes in the order that barrel takes back to chunks;
// those from cols on hold anything.
func (w width) loadPlanes(x []VecVirtual, src planes, cols int) {
	for p := range x {
		r := w.reg()
		w.move(src.at(min(p, cols-1)), r)
		x[(len(x)-p)%len(x)] = w.rotate(p, len(x), r)
	}
}

// scatter writes a function that undoes gather's.
func (w width) scatter(r int) {
	w.scatterAs(fmt.Sprintf("scatter%d%s", r, w.suffix), r, false)
}

// scatterDelta writes a function that undoes gatherDelta's. It reads the 64 bytes
// before the first item.
func (w width) scatterDelta(r int) {
	w.scatterAs(fmt.Sprintf("scatterDelta%d%s", r, w.suffix), r, true)
}

func (w width) scatterAs(name string, r int, delta bool) {
	TEXT(name, NOSPLIT, "func(dst *byte, src *byte, stride int, n int)")
	Pragma("noescape")
	dst, n := Load(Param("dst"), GP64()), Load(Param("n"), GP64())
	src := newPlanes(Load(Param("src"), GP64()), Load(Param("stride"), GP64()), r)
	masks := w.masks(r)
	x := make([]VecVirtual, r)
	var indices []VecVirtual
	if r <= 8 {
		for m := range r {
			indices = append(indices, w.reg())
			w.move(w.unskewIndex(r, m), indices[m])
		}
	}
	sum := func(VecVirtual) {}
	chunks := sum
	if delta {
		sum, chunks = w.sums(r, dst), w.chunkSums(64/r)
	}
	Label("loop")
	w.loadPlanes(x, src, r)
	for _, r := range x {
		chunks(r)
	}
	w.barrel(x, masks)
	for m := range r {
		y := x[(r-m)%r]
		if indices != nil {
			VPERMB(y, indices[m], y)
		} else {
			index := w.reg()
			w.move(w.unskewIndex(r, m), index)
			VPERMB(y, index, y)
		}
		sum(y)
		w.move(y, Mem{Base: dst, Disp: 64 * m})
	}
	ADDQ(U32(r*w.items()), dst)
	src.advance(w.items())
	next(n, w.items())
}

// next ends a loop over n, of so many items a turn.
func next(n Register, items int) {
	SUBQ(U32(items), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
