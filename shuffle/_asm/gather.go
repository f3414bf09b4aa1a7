package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gather writes a function that makes planes of n items of R bytes, n being a
// multiple of 64.
func gather(r int) { gatherAs(fmt.Sprintf("gather%dAVX512", r), r, false) }

// gatherDelta writes a function that subtracts from each item of R bytes the
// previous one, byte by byte, and makes planes of the differences.
func gatherDelta(r int) { gatherAs(fmt.Sprintf("gatherDelta%dAVX512", r), r, true) }

func gatherAs(name string, r int, delta bool) {
	octets := begin(name, r, delta, "planes *byte, stride int, items *byte, n int")
	dst := newPlanes(Load(Param("planes"), GP64()), Load(Param("stride"), GP64()), r)
	src, n := Load(Param("items"), GP64()), Load(Param("n"), GP64())
	masks := blendMasks(r)
	x := make([]VecVirtual, r)
	var indices []VecVirtual // in registers, if there are enough
	if r <= 8 {
		indices = skewIndices(r, octets)
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
				VMOVDQU64(skewIndex(m), index)
			}
			VPERMB(x[m], index, x[m])
		case indices != nil:
			VPERMB(Mem{Base: src, Disp: 64 * m}, indices[m], x[m])
		default:
			VMOVDQU64(skewIndex(m), x[m])
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

// loadPlanes loads the planes in the order from which barrel restores chunks.
func loadPlanes(x []VecVirtual, src planes) {
	for p := range x {
		r := ZMM()
		VMOVDQU64(src.at(p), r)
		x[(len(x)-p)%len(x)] = rotate(p, len(x), r)
	}
}

// begin begins a function. A function without differences, for items of up to eight
// bytes, also has an argument for the order of their bytes.
func begin(name string, r int, delta bool, params string) (octets Register) {
	ordered := !delta && r <= 8
	if ordered {
		params += ", octets int"
	}
	TEXT(name, NOSPLIT, "func("+params+")")
	Pragma("noescape")
	if ordered {
		octets = Load(Param("octets"), GP64())
	}
	return octets
}

// scatter writes a function that undoes that of gather.
func scatter(r int) { scatterAs(fmt.Sprintf("scatter%dAVX512", r), r, false) }

// scatterDelta writes a function that undoes that of gatherDelta.
func scatterDelta(r int) { scatterAs(fmt.Sprintf("scatterDelta%dAVX512", r), r, true) }

func scatterAs(name string, r int, delta bool) {
	octets := begin(name, r, delta, "planes *byte, stride int, items *byte, n int")
	dst, n := Load(Param("items"), GP64()), Load(Param("n"), GP64())
	src := newPlanes(Load(Param("planes"), GP64()), Load(Param("stride"), GP64()), r)
	masks := blendMasks(r)
	x := make([]VecVirtual, r)
	var indices []VecVirtual
	if r <= 8 {
		indices = unskewIndices(r, octets)
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
			VMOVDQU64(unskewIndex(m), index)
			VPERMB(y, index, y)
		}
		sum(y)
		VMOVDQU64(y, Mem{Base: dst, Disp: 64 * m})
	}
	ADDQ(U32(r*64), dst)
	src.advance(64)
	next(n, 64)
}

// next ends a loop over n, with the given number of items per iteration.
func next(n Register, items int) {
	SUBQ(U32(items), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
