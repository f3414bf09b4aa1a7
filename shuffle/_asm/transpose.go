package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// How the transposes work. A register, or each lane of one, is seen as so many
// slots as an item has bytes, R, and R registers are worked on at once: an R by
// R matrix of slots. Slots hold the bytes of one plane from neighbouring items,
// which we call a chunk. At first register m holds chunk m of all planes; at
// the end register p holds all chunks of plane p. That is a transpose, done in
// three steps of which only the first and the last go through the few ports for
// shuffles:
//
//  1. skew: one shuffle of bytes gathers the chunks within each register and
//     leaves plane p in slot p+m;
//  2. barrel: slot s is moved up by s registers, by blends of registers that
//     are 1, 2, 4 … apart for the slots that have this bit;
//  3. rotate: register -p now holds plane p, and is rotated by p slots.
//
// (All modulo R.) Going back is the same in reverse order.

// A width is a kind of registers.
type width struct {
	suffix string
	reg    func() VecVirtual
	lane   int // bytes within which bytes can be shuffled
	lanes  int
	move   func(from, to Op)
}

var (
	avx2   = width{"AVX2", YMM, 16, 2, func(from, to Op) { VMOVDQU(from, to) }}
	avx512 = width{"AVX512", ZMM, 64, 1, func(from, to Op) { VMOVDQU64(from, to) }}
)

// items is how many items of size bytes R = size registers hold: as many as a
// register has bytes.
func (w width) items() int { return w.lane * w.lanes }

// skewIndex is the shuffle of step 1 for register m.
func (w width) skewIndex(size, m int) Mem {
	chunk := w.lane / size
	index := make([]int, w.lane)
	for p := range size {
		for i := range chunk {
			index[(p+m)%size*chunk+i] = i*size + p
		}
	}
	return w.index(fmt.Sprintf("skew%dx%d%s", size, m, w.suffix), index)
}

// unskewIndex undoes step 1 for chunk m, where after step 2 slot s holds plane
// m-s.
func (w width) unskewIndex(size, m int) Mem {
	chunk := w.lane / size
	index := make([]int, w.lane)
	for p := range size {
		for i := range chunk {
			index[i*size+p] = (m-p+size)%size*chunk + i
		}
	}
	return w.index(fmt.Sprintf("unskew%dx%d%s", size, m, w.suffix), index)
}

var indices = map[string]Mem{}

func (w width) index(name string, lane []int) Mem {
	if m, ok := indices[name]; ok {
		return m
	}
	var all []int
	for range w.lanes {
		all = append(all, lane...)
	}
	indices[name] = table(name, all)
	return indices[name]
}

// masks loads what barrel needs beside its registers.
func (w width) masks(size int) map[int]Register {
	k := map[int]Register{}
	for b := 1; b < size && w.lane == 64; b *= 2 {
		bits, width := 0, 64/w.elements(size)
		for e := range w.elements(size) {
			if e*width/(64/size)&b != 0 {
				bits |= 1 << e
			}
		}
		r, reg := GP32(), K()
		MOVL(U32(bits), r)
		KMOVW(r, reg)
		k[b] = reg
	}
	return k
}

// elements is the number of elements of a blend in 512 bits.
func (w width) elements(size int) int {
	if size == 16 {
		return 16
	}
	return 8
}

// barrel is step 2: slot s of register q becomes what was slot s of register
// q+s.
func (w width) barrel(r []VecVirtual, masks map[int]Register) {
	for b := 1; b < len(r); b *= 2 {
		for q := range b { // a cycle of registers that are b apart
			first := w.reg()
			w.move(r[q], first)
			for ; q+b < len(r); q += b {
				w.blend(b, r[q+b], r[q], len(r), masks)
			}
			w.blend(b, first, r[q], len(r), masks)
		}
	}
}

// blend copies the slots that have bit b.
func (w width) blend(b int, from, to VecVirtual, size int, masks map[int]Register) {
	if w.lane == 64 {
		if w.elements(size) == 16 {
			VMOVDQA32(from, masks[b], to)
		} else {
			VMOVDQA64(from, masks[b], to)
		}
		return
	}
	bytes := 16 / size // of a slot
	if b*bytes == 2 {
		VPBLENDW(U8(0xaa), from, to, to)
		return
	}
	mask := 0 // by elements of four bytes
	for e := range 8 {
		if e%4*4/bytes&b != 0 {
			mask |= 1 << e
		}
	}
	VPBLENDD(U8(mask), from, to, to)
}

// rotate is step 3: slot i becomes what was slot i+p.
func (w width) rotate(p, size int, r VecVirtual) VecVirtual {
	bytes := p * w.lane / size
	switch {
	case p == 0:
	case w.lane == 16:
		VPALIGNR(U8(bytes), r, r, r)
	case w.elements(size) == 16:
		VALIGND(U8(bytes/4), r, r, r)
	default:
		VALIGNQ(U8(bytes/8), r, r, r)
	}
	return r
}

// planes are the places of planes that stand stride bytes apart, for an
// addressing mode with at most one multiplication.
type planes struct {
	bases           []GPVirtual // of every fourth plane
	stride, stride3 GPVirtual
}

func newPlanes(base, stride Register, count int) planes {
	p := planes{stride: stride.(GPVirtual)}
	p.bases = append(p.bases, base.(GPVirtual))
	if count > 3 {
		p.stride3 = GP64()
		LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, p.stride3)
	}
	for i := 4; i < count; i += 4 {
		next := GP64()
		LEAQ(Mem{Base: p.bases[len(p.bases)-1], Index: stride, Scale: 4}, next)
		p.bases = append(p.bases, next)
	}
	return p
}

func (p planes) at(i int) Mem {
	m := Mem{Base: p.bases[i/4]}
	switch i % 4 {
	case 1, 2:
		m.Index, m.Scale = p.stride, uint8(i%4)
	case 3:
		m.Index, m.Scale = p.stride3, 1
	}
	return m
}

func (p planes) advance(bytes int) {
	for _, b := range p.bases {
		ADDQ(U32(bytes), b)
	}
}

// gather writes a function that makes planes of the first cols bytes of n
// items, n being a multiple of the number of bytes in a register. The items are
// of R bytes, or, if strided, stand size bytes apart, of which eight are read.
func (w width) gather(r, cols int, strided bool) {
	name, params := fmt.Sprintf("gather%d%s", r, w.suffix), "dst *byte, stride int, src *byte, n int"
	if strided {
		name, params = fmt.Sprintf("gatherCols%d%s", cols, w.suffix), "dst *byte, stride int, src *byte, size int, n int"
	}
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
	var in items
	if strided {
		in = newItems(src, Load(Param("size"), GP64()))
	}
	Label("loop")
	for m := range x {
		x[m] = w.reg()
		switch {
		case strided:
			in.load(m, x[m])
			VPSHUFB(w.skewIndex(r, m), x[m], x[m])
		case w.lane == 16:
			VMOVDQU(Mem{Base: src, Disp: 16 * m}, x[m].AsX())
			VINSERTI128(U8(1), Mem{Base: src, Disp: 16 * (m + r)}, x[m], x[m])
			VPSHUFB(w.skewIndex(r, m), x[m], x[m])
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
	Label("loop")
	w.loadPlanes(x, src, cols)
	w.barrel(x, masks)
	for m := range r {
		y := x[(r-m)%r]
		switch {
		case w.lane == 16:
			VPSHUFB(w.unskewIndex(r, m), y, y)
			if strided {
				out.storeLow(m, y)
				break
			}
			VMOVDQU(y.AsX(), Mem{Base: dst, Disp: 16 * m})
			VEXTRACTI128(U8(1), y, Mem{Base: dst, Disp: 16 * (m + r)})
		case indices != nil:
			VPERMB(y, indices[m], y)
			w.move(y, Mem{Base: dst, Disp: 64 * m})
		default:
			index := w.reg()
			w.move(w.unskewIndex(r, m), index)
			VPERMB(y, index, y)
			w.move(y, Mem{Base: dst, Disp: 64 * m})
		}
	}
	if strided {
		for m := range r {
			out.storeHigh(m, x[(r-m)%r])
		}
		out.advance()
	} else {
		ADDQ(U32(r*w.items()), dst)
	}
	src.advance(w.items())
	w.next(n)
}

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

// next ends a loop over n.
func (w width) next(n Register) {
	SUBQ(U32(w.items()), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// items are 32 items that stand size bytes apart, of which eight are used: item
// 2m and 2m+1 in the lower lane of register m, 16+2m and 17+2m in the upper.
type items struct{ low, high, size GPVirtual }

func newItems(base, size Register) items {
	i := items{low: base.(GPVirtual), high: GP64(), size: size.(GPVirtual)}
	MOVQ(size, i.high)
	SHLQ(U8(4), i.high)
	ADDQ(base, i.high)
	return i
}

func pair(base, size Register) (first, second Mem) {
	return Mem{Base: base}, Mem{Base: base, Index: size, Scale: 1}
}

func (i items) load(_ int, to VecVirtual) {
	upper := XMM()
	for _, h := range []struct {
		base GPVirtual
		to   Op
	}{{i.low, to.AsX()}, {i.high, upper}} {
		first, second := pair(h.base, i.size)
		VMOVQ(first, h.to)
		VPINSRQ(U8(1), second, h.to, h.to)
		LEAQ(Mem{Base: h.base, Index: i.size, Scale: 2}, h.base)
	}
	VINSERTI128(U8(1), upper, to, to)
}

func (i items) storeLow(_ int, from VecVirtual) {
	i.store(i.low, from.AsX())
}

func (i items) storeHigh(_ int, from VecVirtual) {
	VEXTRACTI128(U8(1), from, from.AsX())
	i.store(i.high, from.AsX())
}

func (i items) store(base GPVirtual, from Op) {
	first, second := pair(base, i.size)
	VMOVQ(from, first)
	VPEXTRQ(U8(1), from, second)
	LEAQ(Mem{Base: base, Index: i.size, Scale: 2}, base)
}

// advance moves from the end of the lower 16 items, where the upper ones began,
// to the end of those.
func (i items) advance() {
	MOVQ(i.high, i.low)
	t := GP64()
	MOVQ(i.size, t)
	SHLQ(U8(4), t)
	ADDQ(t, i.high)
}
