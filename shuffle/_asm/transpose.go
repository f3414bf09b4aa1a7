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

// A layout is an order of the bytes of items in a register.
type layout struct {
	suffix string          // of functions for it
	place  func(i int) int // where an item's byte is that is number i in order
}

var avx512 = layout{"AVX512", func(i int) int { return i }}

// skewIndex is the shuffle of step 1 for register m.
func (l layout) skewIndex(size, m int) Mem {
	chunk := 64 / size
	index := make([]int, 64)
	for p := range size {
		for i := range chunk {
			index[(p+m)%size*chunk+i] = l.place(i*size + p)
		}
	}
	return table(fmt.Sprintf("skew%dx%d%s", size, m, l.suffix), index)
}

// unskewIndex undoes step 1 for chunk m, where after step 2 slot s holds plane
// m-s.
func (l layout) unskewIndex(size, m int) Mem {
	chunk := 64 / size
	index := make([]int, 64)
	for p := range size {
		for i := range chunk {
			index[l.place(i*size+p)] = (m-p+size)%size*chunk + i
		}
	}
	return table(fmt.Sprintf("unskew%dx%d%s", size, m, l.suffix), index)
}

// blendMasks loads what barrel needs beside its registers.
func blendMasks(size int) map[int]Register {
	k := map[int]Register{}
	for b := 1; b < size; b *= 2 {
		bits, width := 0, 64/elements(size)
		for e := range elements(size) {
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
func elements(size int) int {
	if size == 16 {
		return 16
	}
	return 8
}

// barrel is step 2: slot s of register q becomes what was slot s of register
// q+s.
func barrel(r []VecVirtual, masks map[int]Register) {
	for b := 1; b < len(r); b *= 2 {
		for q := range b { // a cycle of registers that are b apart
			first := ZMM()
			VMOVDQU64(r[q], first)
			for ; q+b < len(r); q += b {
				blend(b, r[q+b], r[q], len(r), masks)
			}
			blend(b, first, r[q], len(r), masks)
		}
	}
}

// blend copies the slots that have bit b.
func blend(b int, from, to VecVirtual, size int, masks map[int]Register) {
	if elements(size) == 16 {
		VMOVDQA32(from, masks[b], to)
	} else {
		VMOVDQA64(from, masks[b], to)
	}
}

// rotate is step 3: slot i becomes what was slot i+p.
func rotate(p, size int, r VecVirtual) VecVirtual {
	bytes := p * 64 / size
	switch {
	case p == 0:
	case elements(size) == 16:
		VALIGND(U8(bytes/4), r, r, r)
	default:
		VALIGNQ(U8(bytes/8), r, r, r)
	}
	return r
}
