package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// An inOrder loads AVX-512 registers in order, and keeps the previous one.
type inOrder struct {
	raw  [2]VecVirtual
	next int
}

// newInOrder returns an inOrder whose previous register is zero.
func newInOrder() *inOrder {
	o := &inOrder{raw: [2]VecVirtual{ZMM(), ZMM()}}
	VPXORQ(o.raw[1], o.raw[1], o.raw[1])
	return o
}

// less loads a register, and subtracts from its items of r bytes the previous items, byte
// by byte. A loop must call it an even number of times.
func (o *inOrder) less(r int, at Mem, to VecVirtual) {
	x, before := o.raw[o.next], o.raw[1-o.next]
	o.next = 1 - o.next
	VMOVDQU64(at, x)
	if r < 4 {
		VALIGNQ(U8(6), before, x, to)
		VPALIGNR(U8(16-r), to, x, to)
	} else {
		VALIGND(U8(16-r/4), before, x, to)
	}
	VPSUBB(to, x, to)
}

// chunkSums computes running sums of the bytes of planes within the chunks of size
// bytes that an item's registers take from a plane. It mostly uses shifts, of which
// a processor executes more at a time than shuffles.
func chunkSums(size int) func(x VecVirtual) {
	t := ZMM()
	var last7, last15, upper VecVirtual
	if size > 8 {
		last7 = loaded("last7", func(i int) int {
			if i%16 < 8 {
				return 0x80 // PSHUFB writes 0 for this index
			}
			return 7
		})
	}
	if size > 16 {
		last15 = loaded("last15", func(i int) int { return i/32*32 + 15 })
		upper = loaded("upper", func(i int) int { return i / 16 % 2 * 0xff })
	}
	return func(x VecVirtual) {
		for shift := 1; shift < min(size, 8); shift *= 2 {
			if size == 4 {
				VPSLLD(U8(8*shift), x, t)
			} else {
				VPSLLQ(U8(8*shift), x, t)
			}
			VPADDB(t, x, x)
		}
		if size > 8 {
			VPSHUFB(last7, x, t)
			VPADDB(t, x, x)
		}
		if size > 16 {
			VPERMB(x, last15, t)
			VPANDQ(upper, t, t)
			VPADDB(t, x, x)
		}
	}
}

// sums returns a register with the sums of all previous chunks. It is to be added to
// items of r bytes, which are sums within their chunk.
func sums(r int) func(x VecVirtual) {
	index, carry, t := loaded(fmt.Sprintf("lastOf%d", r), func(i int) int { return 64 - r + i%r }), ZMM(), ZMM()
	VPXORQ(carry, carry, carry)
	return func(x VecVirtual) {
		VPERMB(x, index, t)
		VPADDB(carry, x, x)
		VPADDB(t, carry, carry)
	}
}

// loaded returns a register with a table.
func loaded(name string, byteAt func(i int) int) VecVirtual {
	bytes := make([]int, 64)
	for i := range bytes {
		bytes[i] = byteAt(i)
	}
	x := ZMM()
	VMOVDQU64(table(name, bytes), x)
	return x
}
