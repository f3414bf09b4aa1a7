package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A planes holds the addresses of planes that are stride bytes apart, for an
// addressing mode with at most one multiplication.
type planes struct {
	bases           []GPVirtual // address of every fourth plane
	stride, stride3 GPVirtual
}

func newPlanes(base, stride GPVirtual, count int) planes {
	p := planes{bases: []GPVirtual{base}, stride: stride}
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

// load loads the next bytes of plane i.
func (p planes) load(i int) VecVirtual {
	x := YMM()
	VMOVDQU(p.at(i), x)
	return x
}

// store stores the next bytes of the first planes.
func (p planes) store(x []VecVirtual) {
	for i, plane := range x {
		VMOVDQU(plane, p.at(i))
	}
}

func (p planes) advance(bytes int) {
	for _, b := range p.bases {
		ADDQ(U32(bytes), b)
	}
}

// next ends a loop as next does, after it has moved to the next bytes of the planes and of
// the items.
func (p planes) next(bytes int, items Register, itemBytes int, n Register, step int) {
	ADDQ(U32(itemBytes), items)
	p.advance(bytes)
	next(n, step)
}

// An items holds the addresses of 32 items that are size bytes apart. Eight bytes of each
// are used. Items 2m and 2m+1 are in the lower lane of register m, and items 16+2m and
// 17+2m in the upper lane.
type items struct {
	low, high, size GPVirtual
	lower           VecVirtual // the same register for all, because its upper lane is never written
}

func newItems(base, size Register) items {
	i := items{low: base.(GPVirtual), high: GP64(), size: size.(GPVirtual), lower: YMM()}
	MOVQ(size, i.high)
	SHLQ(U8(4), i.high)
	ADDQ(base, i.high)
	return i
}

func pair(base, size Register) (first, second Mem) {
	return Mem{Base: base}, Mem{Base: base, Index: size, Scale: 1}
}

// load returns the next items of both lanes, byte by byte.
func (i items) load() VecVirtual {
	to, upper := YMM(), XMM()
	i.loadPair(i.low, i.lower.AsX())
	i.loadPair(i.high, upper)
	VINSERTI128(U8(1), upper, i.lower, to)
	return to
}

func (i items) loadPair(base GPVirtual, to Op) {
	first, second := pair(base, i.size)
	t := XMM()
	VMOVQ(first, to)
	VMOVQ(second, t)
	VPUNPCKLBW(t, to, to)
	LEAQ(Mem{Base: base, Index: i.size, Scale: 2}, base)
}

func (i items) store(base GPVirtual, from Op) {
	first, second := pair(base, i.size)
	VMOVQ(from, first)
	VPEXTRQ(U8(1), from, second)
	LEAQ(Mem{Base: base, Index: i.size, Scale: 2}, base)
}

// advance moves to the next 32 items. Before the call, each of the two addresses is at
// the end of the 16 items that were accessed through it.
func (i items) advance() {
	MOVQ(i.high, i.low)
	t := GP64()
	MOVQ(i.size, t)
	SHLQ(U8(4), t)
	ADDQ(t, i.high)
}
