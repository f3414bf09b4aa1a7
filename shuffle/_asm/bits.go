package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The bits of items are transposed in two steps. First the bits of an octet, which is
// eight adjacent items, are transposed in place. That makes eight other items; the k-th
// has bit k of every byte, and its bytes belong to the rows k, 8+k, 16+k and so on. Then
// all items for the same k are shuffled as any items are.
//
// AVX-512 has an instruction for matrices of 8 by 8 bits, each in eight bytes of a
// register. A shuffle gathers these bytes. Each matrix yields a byte for every k, and
// these bytes are then moved to separate registers: see interleave.

const octet = 8

// diagonal is the matrix of 8 by 8 bits with bit k in byte k. VGF2P8AFFINEQB counts the
// rows of a matrix from the last byte. With diagonal as its vector, it transposes a
// matrix whose bytes are in reverse order.
const diagonal = 0x8040201008040201

// bitItemsAVX512 writes a function that transposes the bits of items of size bytes. The
// function writes the items for bits 0 to 7 to dst, stride bytes apart. The bytes of an
// item are in the order of octetByte; items of 16 bytes are in two parts, first the lower
// halves. Items of one byte are the rows, in their own order. n, the number of bytes, is
// a multiple of 512, or of 1024 for items of 16 bytes.
func bitItemsAVX512(size int) {
	parts := max(size/octet, 1)
	dst, src, n := transposer(fmt.Sprintf("bitItems%dAVX512", size), parts*octet, "n int")
	diagonals := broadcast(diagonal, ZMM())
	var index []VecVirtual
	for part := range parts {
		index = append(index, loaded(fmt.Sprintf("toMatrices%dx%d", size, part), func(i int) int {
			return matrixByte(size, i/octet, octet-1-i%octet) + part*octet
		}))
	}
	var inOrder VecVirtual
	if size == 1 {
		inOrder = loaded("octetsInOrder", func(i int) int { return octetByte(i) })
	}
	Label("loop")
	for part := range parts {
		x := make([]VecVirtual, octet)
		for m := range x {
			x[m] = ZMM()
			at := Mem{Base: src, Disp: 64 * parts * m}
			if parts == 2 {
				VMOVDQU64(at, x[m])
				VPERMT2B(at.Offset(64), index[part], x[m])
			} else {
				VPERMB(at, index[part], x[m])
			}
			VGF2P8AFFINEQB(U8(0), x[m], diagonals, x[m])
		}
		for range 4 {
			x = interleave(x, 1)
		}
		for k := range x {
			if size == 1 {
				VPERMB(x[k], inOrder, x[k])
			}
			VMOVDQU64(x[k], dst.at(part*octet+k))
		}
	}
	dst.next(64, src, 512*parts, n, 512*parts)
}

// bitOctetsAVX512 undoes bitItemsAVX512.
func bitOctetsAVX512(size int) {
	parts := max(size/octet, 1)
	src, dst, n := transposer(fmt.Sprintf("bitOctets%dAVX512", size), parts*octet, "n int")
	diagonals := broadcast(diagonal, ZMM())
	from := make([]int, 64*parts) // numbers of the bytes of one or two registers
	for i := range from {
		part, i := i/64, i%64
		from[matrixByte(size, i/octet, i%octet)+part*octet] = part*64 + i
	}
	var index []VecVirtual
	for part := range parts {
		index = append(index, loaded(fmt.Sprintf("fromMatrices%dx%d", size, part), func(i int) int { return from[part*64+i] }))
	}
	var outOfOrder VecVirtual
	if size == 1 {
		to := make([]int, 64)
		for i := range to {
			to[octetByte(i)] = i
		}
		outOfOrder = loaded("octetsOutOfOrder", func(i int) int { return to[i] })
	}
	Label("loop")
	var x [2][]VecVirtual
	for part := range parts {
		y := make([]VecVirtual, octet)
		for k := range y {
			r := ZMM()
			if size == 1 {
				VPERMB(src.at(k), outOfOrder, r)
			} else {
				VMOVDQU64(src.at(part*octet+k), r)
			}
			y[octet-1-k] = r // in reverse order, as the bytes of matrices must be
		}
		for range 3 {
			y = interleave(y, 1)
		}
		for _, r := range y {
			VGF2P8AFFINEQB(U8(0), r, diagonals, r)
		}
		x[part] = y
	}
	for m, low := range x[0] {
		at := Mem{Base: dst, Disp: 64 * parts * m}
		if parts == 2 {
			t := ZMM()
			VMOVDQU64(low, t)
			VPERMT2B(x[1][m], index[1], t)
			VMOVDQU64(t, at.Offset(64))
			VPERMT2B(x[1][m], index[0], low)
		} else {
			VPERMB(low, index[0], low)
		}
		VMOVDQU64(low, at)
	}
	src.next(64, dst, 512*parts, n, 512*parts)
}

// matrixByte returns the position in a register of byte i of a matrix, where the register
// holds items of size bytes. For items of more than eight bytes it is a position in two
// registers.
func matrixByte(size, matrix, item int) int {
	return (matrix/size*octet+item)*size + matrix%size
}

// octetByte returns the position, after interleaving, of byte i of the matrices'
// results for one bit: matrix m2 m1 m0 of register r2 r1 r0 was in byte m2 m1 m0 k2
// k1 k0, within lane m2 m1.
func octetByte(i int) int {
	matrix, register := i%octet, i/octet
	return matrix/2*16 + register*2 + matrix%2
}

// broadcast fills a register with a word.
func broadcast(word uint64, to VecVirtual) VecVirtual {
	r, x := GP64(), XMM()
	MOVQ(U64(word), r)
	VMOVQ(r, x)
	VPBROADCASTQ(x, to)
	return to
}
