package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// How the transposes of AVX-512 work. A register is seen as so many slots as an
// item has bytes, R, and R registers are worked on at once: an R by R matrix of
// slots. Slots hold the bytes of one plane from neighbouring items,
// which we call a chunk. At first register m holds chunk m of all planes; at
// the end register p holds all chunks of plane p. That is a transpose, done in
// three steps of which only the first and the last go through the few ports for
// shuffles:
//
//  1. skew: one shuffle of bytes gathers the chunks within each register and
//     leaves plane p in slot p+m;
//  2. barrel: register q gets its slot s from register q+s, by blends of
//     registers that are 1, 2, 4 … apart for the slots that have this bit;
//  3. rotate: register -p now holds plane p, and is rotated by p slots.
//
// (All modulo R.) Going back is the same in reverse order.

// A width is a kind of registers.
type width struct {
	suffix string
	reg    func() VecVirtual
	lane   int // bytes within which bytes can be shuffled
	move   func(from, to Op)
	place  func(i int) int // where an item's byte is that is number i in a register
}

var avx512 = width{"AVX512", ZMM, 64, func(from, to Op) { VMOVDQU64(from, to) }, inPlace}

func inPlace(i int) int { return i }

// items is how many items of size bytes R = size registers hold: as many as a
// register has bytes.
func (w width) items() int { return w.lane }

// skewIndex is the shuffle of step 1 for register m.
func (w width) skewIndex(size, m int) Mem {
	chunk := w.lane / size
	index := make([]int, w.lane)
	for p := range size {
		for i := range chunk {
			index[(p+m)%size*chunk+i] = w.place(i*size + p)
		}
	}
	return table(fmt.Sprintf("skew%dx%d%s", size, m, w.suffix), index)
}

// unskewIndex undoes step 1 for chunk m, where after step 2 slot s holds plane
// m-s.
func (w width) unskewIndex(size, m int) Mem {
	chunk := w.lane / size
	index := make([]int, w.lane)
	for p := range size {
		for i := range chunk {
			index[w.place(i*size+p)] = (m-p+size)%size*chunk + i
		}
	}
	return table(fmt.Sprintf("unskew%dx%d%s", size, m, w.suffix), index)
}

// masks loads what barrel needs beside its registers.
func (w width) masks(size int) map[int]Register {
	k := map[int]Register{}
	for b := 1; b < size; b *= 2 {
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
	if w.elements(size) == 16 {
		VMOVDQA32(from, masks[b], to)
	} else {
		VMOVDQA64(from, masks[b], to)
	}
}

// rotate is step 3: slot i becomes what was slot i+p.
func (w width) rotate(p, size int, r VecVirtual) VecVirtual {
	bytes := p * w.lane / size
	switch {
	case p == 0:
	case w.elements(size) == 16:
		VALIGND(U8(bytes/4), r, r, r)
	default:
		VALIGNQ(U8(bytes/8), r, r, r)
	}
	return r
}
