// Command _asm writes the assembly of package shuffle for amd64. It is run by
// go generate in that package.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")
	for _, size := range []int{2, 4, 8} {
		gatherAVX2(size)
		scatterAVX2(size)
	}
	for _, cols := range []int{3, 5, 6, 7, 8} {
		gatherColsAVX2(cols)
		scatterColsAVX2(cols)
	}
	for _, size := range []int{2, 4, 8, 16} {
		gather(size, false)
		scatter(size, false)
		gather(size, true)
	}
	scatter(2, true)
	scatterSums(4)
	scatterSums(8)
	scatter(16, true)
	gatherQuarter(false)
	gatherQuarter(true)
	for _, size := range []int{1, 2, 4, 8, 16} {
		bitItemsAVX2(size)
		bitOctetsAVX2(size)
		bitItemsAVX512(size)
		bitOctetsAVX512(size)
	}
	stream()
	for _, stride := range []int{1, 2, 4, 8} {
		scan(fmt.Sprintf("undelta%dAVX2", stride), stride, VPXOR)
	}
	for _, stride := range []int{2, 4, 8} {
		scan(fmt.Sprintf("sums%dAVX2", stride), stride, func(a, b, to Op) { VPADDB(a, b, to) })
	}
	scan("unByteDeltaAVX2", 1, func(a, b, to Op) { VPADDB(a, b, to) })
	Generate()
}

// function begins a function with the given parameters.
func function(name, params string) {
	TEXT(name, NOSPLIT, "func("+params+")")
	Pragma("noescape")
}

func arg(name string) GPVirtual { return Load(Param(name), GP64()).(GPVirtual) }

// transposer begins a function that copies between planes and items. more are its
// parameters after the items, among them n.
func transposer(name string, count int, more string) (p planes, items, n GPVirtual) {
	function(name, "planes *byte, stride int, items *byte, "+more)
	return newPlanes(arg("planes"), arg("stride"), count), arg("items"), arg("n")
}

// next ends a loop over n, and the function. One iteration of the loop processes step of
// n.
func next(n Register, step int) {
	SUBQ(U32(step), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// table makes a read-only table of bytes, or returns the existing one with that
// name.
func table(name string, bytes []int) Mem {
	m, ok := tables[name]
	if ok {
		return m
	}
	m = GLOBL(name, 8|16) // RODATA|NOPTR
	for i := 0; i < len(bytes); i += 8 {
		var word uint64
		for k, b := range bytes[i : i+8] {
			word |= uint64(b) << (8 * k)
		}
		DATA(i, U64(word))
	}
	tables[name] = m
	return m
}

var tables = map[string]Mem{}

// lanes returns an AVX2 register with a table that holds the same bytes for both lanes.
func lanes(name string, byteAt func(i int) int) VecVirtual {
	bytes := make([]int, 32)
	for i := range bytes {
		bytes[i] = byteAt(i % 16)
	}
	x := YMM()
	VMOVDQU(table(name, bytes), x)
	return x
}
