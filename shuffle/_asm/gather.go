package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gather writes a function that makes planes of n items of R bytes, n being a multiple of
// 64. If delta is true, it first subtracts from each item the previous one, byte by byte.
func gather(r int, delta bool) {
	dst, src, n, octets := begin("gather", r, delta)
	masks := blendMasks(r)
	x := make([]VecVirtual, r)
	var indices []VecVirtual // indices in registers, if there are enough
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
		at := Mem{Base: src, Disp: 64 * m}
		if delta {
			raw.less(r, at, x[m])
			VPERMB(x[m], index(indices, m, skewIndex), x[m])
		} else {
			VPERMB(at, index(indices, m, skewIndex), x[m])
		}
	}
	barrel(x, masks)
	storePlanes(x, dst)
	dst.next(64, src, r*64, n, 64)
}

func storePlanes(x []VecVirtual, dst planes) {
	for p := range x {
		VMOVDQU64(rotate(p, len(x), x[(len(x)-p)%len(x)]), dst.at(p))
	}
}

// loadPlanes loads the planes in the order that barrel requires to restore chunks.
func loadPlanes(x []VecVirtual, src planes) {
	for p := range x {
		r := ZMM()
		VMOVDQU64(src.at(p), r)
		x[(len(x)-p)%len(x)] = rotate(p, len(x), r)
	}
}

// index returns the register with shuffle m. It loads the shuffle if there are not enough
// registers for all.
func index(loaded []VecVirtual, m int, at func(m int) Mem) VecVirtual {
	if loaded != nil {
		return loaded[m]
	}
	x := ZMM()
	VMOVDQU64(at(m), x)
	return x
}

// begin begins a function with the given verb. If the function does not compute differences and the items
// have up to eight bytes, it has an argument for the order of their bytes.
func begin(verb string, r int, delta bool) (p planes, items, n GPVirtual, octets Register) {
	if delta {
		verb += "Delta"
	}
	name := fmt.Sprintf("%s%dAVX512", verb, r)
	if delta || r > 8 {
		p, items, n = transposer(name, r, "n int")
		return p, items, n, nil
	}
	p, items, n = transposer(name, r, "n int, octets int")
	return p, items, n, arg("octets")
}

// scatter writes a function that undoes the function of gather.
func scatter(r int, delta bool) {
	src, dst, n, octets := begin("scatter", r, delta)
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
		VPERMB(y, index(indices, m, unskewIndex), y)
		sum(y)
		VMOVDQU64(y, Mem{Base: dst, Disp: 64 * m})
	}
	src.next(64, dst, r*64, n, 64)
}
