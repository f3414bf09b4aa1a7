package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// This is how the transposes of AVX-512 work. A register is divided into as many
// slots as an item has bytes, R, and R registers are processed together: an R by R
// matrix of slots. A slot holds the bytes of one plane from adjacent items, called
// a chunk. At first register m holds chunk m of all planes; at the end register p
// holds all chunks of plane p. That is a transpose, done in three steps, of which
// only the first and the last use the few ports for shuffles:
//
//  1. skew: one shuffle of bytes gathers the chunks within each register and
//     leaves plane p in slot p+m;
//  2. barrel: register q gets its slot s from register q+s, by blends of
//     registers that are 1, 2, 4 … apart for the slots that have this bit;
//  3. rotate: register -p now holds plane p, and is rotated by p slots.
//
// All numbers are modulo R. The inverse is the same in reverse order.

// The bytes of items in a register are in their own order, or in the order of octetByte.
// Each table below has a half for either order, the own order first. A kernel for both
// orders has the argument octets, which is 0 or 1.
var orders = [2]func(i int) int{func(i int) int { return i }, octetByte}

// skewIndices loads the shuffles of step 1. The shuffle of register m is the first one
// rotated by m slots, so all of them are parts of one table of twice the length.
func skewIndices(size int, octets Register) []VecVirtual {
	chunk := 64 / size
	index := append(skew(size, orders[0]), skew(size, orders[1])...)
	base := orderOf(fmt.Sprintf("skew%d", size), index, octets)
	x := make([]VecVirtual, size)
	for m := range x {
		x[m] = ZMM()
		VMOVDQU64(base.Offset((size-m)%size*chunk), x[m])
	}
	return x
}

// skew returns the table of step 1 for the given order of bytes.
func skew(size int, place func(i int) int) []int {
	chunk := 64 / size
	index := make([]int, 128)
	for k := range index {
		index[k] = place(k%chunk*size + k%64/chunk)
	}
	return index
}

// unskewIndices loads the shuffles that undo step 1 for each chunk. After step 2, slot s
// of register m holds plane m-s. Each index is that of the previous chunk plus one chunk;
// it need not be reduced, because the instruction uses only the lowest six bits.
func unskewIndices(size int, octets Register) []VecVirtual {
	chunk := 64 / size
	index := make([]int, 128)
	for o, place := range orders {
		for p := range size {
			for i := range chunk {
				index[64*o+place(i*size+p)] = (size-p)%size*chunk + i
			}
		}
	}
	base := orderOf(fmt.Sprintf("unskew%d", size), index, octets)
	x := make([]VecVirtual, size)
	more := broadcast(0x0101010101010101*uint64(chunk), ZMM())
	for m := range x {
		if x[m] = ZMM(); m == 0 {
			VMOVDQU64(base, x[m])
		} else {
			VPADDB(more, x[m-1], x[m])
		}
	}
	return x
}

// orderOf returns the half of a table for the order that octets selects. If octets is
// nil, that is the first half.
func orderOf(name string, index []int, octets Register) Mem {
	m := table(name, index)
	if octets == nil {
		return m
	}
	base := GP64()
	LEAQ(m, base)
	IMUL3Q(U32(len(index)/2), octets, octets)
	ADDQ(octets, base)
	return Mem{Base: base}
}

// skewIndex returns the shuffle of step 1 for register m of sixteen. There are not enough
// registers to keep all sixteen.
func skewIndex(m int) Mem {
	return table("skew16", skew(16, orders[0])).Offset((16 - m) % 16 * 4)
}

// unskewIndex undoes step 1 for chunk m of sixteen.
func unskewIndex(m int) Mem {
	index := make([]int, 64)
	for p := range 16 {
		for i := range 4 {
			index[i*16+p] = (m-p+16)%16*4 + i
		}
	}
	return table(fmt.Sprintf("unskew16x%d", m), index)
}

// blendMasks loads the masks that barrel needs.
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

// elements returns the number of elements of a blend in 512 bits.
func elements(size int) int {
	if size == 16 {
		return 16
	}
	return 8
}

// barrel is step 2: slot s of register q receives slot s of register q+s.
func barrel(r []VecVirtual, masks map[int]Register) {
	for b := 1; b < len(r); b *= 2 {
		for q := range b { // registers that are b apart form cycles
			first := ZMM()
			VMOVDQU64(r[q], first)
			for ; q+b < len(r); q += b {
				blend(b, r[q+b], r[q], len(r), masks)
			}
			blend(b, first, r[q], len(r), masks)
		}
	}
}

// blend copies the slots whose numbers have bit b set.
func blend(b int, from, to VecVirtual, size int, masks map[int]Register) {
	if elements(size) == 16 {
		VMOVDQA32(from, masks[b], to)
	} else {
		VMOVDQA64(from, masks[b], to)
	}
}

// rotate is step 3: slot i receives slot i+p.
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
