package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gather writes a function that makes planes of the first cols bytes of n
// items, n being a multiple of the number of bytes in a register. The items are
// of R bytes, or, if strided, stand size bytes apart, of which eight are read.
func (w width) gather(r, cols int, strided bool) {
	name, params := fmt.Sprintf("gather%d%s", r, w.suffix), "dst *byte, stride int, src *byte, n int"
	if strided {
		name, params = fmt.Sprintf("gatherCols%d%s", cols, w.suffix), "dst *byte, stride int, src *byte, size int, n int"
	}
	w.gatherAs(name, params, r, cols, strided, false)
}

// gatherDelta writes a function that takes items of R bytes less those before,
// byte by byte, and makes planes of that. It reads the 64 bytes before the first.
func (w width) gatherDelta(r int) {
	w.gatherAs(fmt.Sprintf("gatherDelta%d%s", r, w.suffix), "dst *byte, stride int, src *byte, n int", r, r, false, true)
}

func (w width) gatherAs(name, params string, r, cols int, strided, delta bool) {
	TEXT(name, NOSPLIT, "func("+params+")")
	Pragma("noescape")
	dst := newPlanes(Load(Param("dst"), GP64()), Load(Param("stride"), GP64()), cols)
	src, n := Load(Param("src"), GP64()), Load(Param("n"), GP64())
	masks := w.masks(r)
	x := make([]VecVirtual, r)
	var indices []VecVirtual // in registers, where there are enough
	if w.lane == 64 && r <= 8 {
		for m := range r {
			indices = append(indices, w.reg())
			w.move(w.skewIndex(r, m), indices[m])
		}
	}
	var raw *inOrder
	if delta && w.lane == 64 {
		raw = newInOrder(src)
	}
	var in items
	if strided {
		in = newItems(src, Load(Param("size"), GP64()))
	}
	Label("loop")
	for m := range x {
		x[m] = w.reg()
		switch {
		case strided:
			in.load(x[m])
			VPSHUFB(w.skewIndex(r, m), x[m], x[m])
		case w.lane == 16:
			VMOVDQU(Mem{Base: src, Disp: 16 * m}, x[m].AsX())
			VINSERTI128(U8(1), Mem{Base: src, Disp: 16 * (m + r)}, x[m], x[m])
			VPSHUFB(w.skewIndex(r, m), x[m], x[m])
		case delta:
			raw.less(r, Mem{Base: src, Disp: 64 * m}, x[m])
			index := w.reg()
			if indices != nil {
				index = indices[m].(VecVirtual)
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
	w.storePlanes(x, dst, cols)
	if strided {
		in.advance()
	} else {
		ADDQ(U32(r*w.items()), src)
	}
	dst.advance(w.items())
	w.next(n)
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

// scatter writes a function that undoes gather's. If strided, eight bytes of
// each item are written, in ascending order.
func (w width) scatter(r, cols int, strided bool) {
	name, params := fmt.Sprintf("scatter%d%s", r, w.suffix), "dst *byte, src *byte, stride int, n int"
	if strided {
		name, params = fmt.Sprintf("scatterCols%d%s", cols, w.suffix), "dst *byte, size int, src *byte, stride int, n int"
	}
	w.scatterAs(name, params, r, cols, strided, false)
}

// scatterDelta writes a function that undoes gatherDelta's. It reads the 64 bytes
// before the first item.
func (w width) scatterDelta(r int) {
	w.scatterAs(fmt.Sprintf("scatterDelta%d%s", r, w.suffix), "dst *byte, src *byte, stride int, n int", r, r, false, true)
}

func (w width) scatterAs(name, params string, r, cols int, strided, delta bool) {
	TEXT(name, NOSPLIT, "func("+params+")")
	Pragma("noescape")
	dst, n := Load(Param("dst"), GP64()), Load(Param("n"), GP64())
	src := newPlanes(Load(Param("src"), GP64()), Load(Param("stride"), GP64()), cols)
	masks := w.masks(r)
	x := make([]VecVirtual, r)
	var indices []VecVirtual
	if w.lane == 64 && r <= 8 {
		for m := range r {
			indices = append(indices, w.reg())
			w.move(w.unskewIndex(r, m), indices[m])
		}
	}
	var out items
	if strided {
		out = newItems(dst, Load(Param("size"), GP64()))
	}
	sum := func(VecVirtual) {}
	chunks := sum
	if delta {
		sum, chunks = w.sums(r, dst), w.chunkSums(64/r)
	}
	Label("loop")
	w.loadPlanes(x, src, cols)
	for _, r := range x {
		chunks(r)
	}
	w.barrel(x, masks)
	for m := range r {
		y := x[(r-m)%r]
		switch {
		case w.lane == 16:
			VPSHUFB(w.unskewIndex(r, m), y, y)
			if strided {
				out.storeLow(y)
				break
			}
			VMOVDQU(y.AsX(), Mem{Base: dst, Disp: 16 * m})
			VEXTRACTI128(U8(1), y, Mem{Base: dst, Disp: 16 * (m + r)})
		case indices != nil:
			VPERMB(y, indices[m], y)
			sum(y)
			w.move(y, Mem{Base: dst, Disp: 64 * m})
		default:
			index := w.reg()
			w.move(w.unskewIndex(r, m), index)
			VPERMB(y, index, y)
			sum(y)
			w.move(y, Mem{Base: dst, Disp: 64 * m})
		}
	}
	if strided {
		for m := range r {
			out.storeHigh(x[(r-m)%r])
		}
		out.advance()
	} else {
		ADDQ(U32(r*w.items()), dst)
	}
	src.advance(w.items())
	w.next(n)
}

// next ends a loop over n.
func (w width) next(n Register) {
	SUBQ(U32(w.items()), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
