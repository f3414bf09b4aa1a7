package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gather writes a function that makes planes of n items of R bytes, n being a
// multiple of 64.
func (l layout) gather(r int) {
	l.gatherAs(fmt.Sprintf("gather%d%s", r, l.suffix), r, false)
}

// gatherDelta writes a function that takes items of R bytes less those before,
// byte by byte, and makes planes of that.
func (l layout) gatherDelta(r int) {
	l.gatherAs(fmt.Sprintf("gatherDelta%d%s", r, l.suffix), r, true)
}

func (l layout) gatherAs(name string, r int, delta bool) {
	TEXT(name, NOSPLIT, "func(dst *byte, stride int, src *byte, n int)")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), r)
	src, n := Load(Param("src"), GP64()), Load(Param("n"), GP64())
	masks := blendMasks(r)
	x := make([]VecVirtual, r)
	var indices []VecVirtual // in registers, where there are enough
	if r <= 8 {
		for m := range r {
			indices = append(indices, ZMM())
			VMOVDQU64(l.skewIndex(r, m), indices[m])
		}
	}
	var raw *inOrder
	if delta {
		raw = newInOrder()
	}
	Label("loop")
	for m := range x {
		x[m] = ZMM()
		switch {
		case delta:
			raw.less(r, Mem{Base: src, Disp: 64 * m}, x[m])
			index := ZMM()
			if indices != nil {
				index = indices[m]
			} else {
				VMOVDQU64(l.skewIndex(r, m), index)
			}
			VPERMB(x[m], index, x[m])
		case indices != nil:
			VPERMB(Mem{Base: src, Disp: 64 * m}, indices[m], x[m])
		default:
			VMOVDQU64(l.skewIndex(r, m), x[m])
			VPERMB(Mem{Base: src, Disp: 64 * m}, x[m], x[m])
		}
	}
	barrel(x, masks)
	storePlanes(x, dst)
	ADDQ(U32(r*64), src)
	dst.advance(64)
	next(n, 64)
}

func storePlanes(x []VecVirtual, dst planes) {
	for p := range x {
		VMOVDQU64(rotate(p, len(x), x[(len(x)-p)%len(x)]), dst.at(p))
	}
}

// loadPlanes loads the planes in the order that barrel takes back to chunks.
func loadPlanes(x []VecVirtual, src planes) {
	for p := range x {
		r := ZMM()
		VMOVDQU64(src.at(p), r)
		x[(len(x)-p)%len(x)] = rotate(p, len(x), r)
	}
}

// scatter writes a function that undoes gather's.
func (l layout) scatter(r int) {
	l.scatterAs(fmt.Sprintf("scatter%d%s", r, l.suffix), r, false)
}

// scatterDelta writes a function that undoes gatherDelta's.
func (l layout) scatterDelta(r int) {
	l.scatterAs(fmt.Sprintf("scatterDelta%d%s", r, l.suffix), r, true)
}

func (l layout) scatterAs(name string, r int, delta bool) {
	TEXT(name, NOSPLIT, "func(dst *byte, src *byte, stride int, n int)")
	Pragma("noescape")
	dst, n := Load(Param("dst"), GP64()), Load(Param("n"), GP64())
	src := newPlanes(Load(Param("src"), GP64()), Load(Param("stride"), GP64()), r)
	masks := blendMasks(r)
	x := make([]VecVirtual, r)
	var indices []VecVirtual
	if r <= 8 {
		for m := range r {
			indices = append(indices, ZMM())
			VMOVDQU64(l.unskewIndex(r, m), indices[m])
		}
	}
	sum := func(VecVirtual) {}
	chunks := sum
	if delta {
		sum, chunks = sums(r), chunkSums(64/r)
	}
	Label("loop")
	loadPlanes(x, src)
	for _, r := range x {
		chunks(r)
	}
	barrel(x, masks)
	for m := range r {
		y := x[(r-m)%r]
		if indices != nil {
			VPERMB(y, indices[m], y)
		} else {
			index := ZMM()
			VMOVDQU64(l.unskewIndex(r, m), index)
			VPERMB(y, index, y)
		}
		sum(y)
		VMOVDQU64(y, Mem{Base: dst, Disp: 64 * m})
	}
	ADDQ(U32(r*64), dst)
	src.advance(64)
	next(n, 64)
}

// next ends a loop over n, of so many items a turn.
func next(n Register, items int) {
	SUBQ(U32(items), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
