package zfp

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// A scalar codes the numbers of one cell, which are contiguous (x varies fastest), as
// integers relative to a power of two that exceeds all of them.
type scalar interface {
	// exponent returns the exponent of the power of two that exceeds all numbers of a
	// cell; ok is false if a number is not finite.
	exponent(cell []byte) (exp int, ok bool)
	// encode transforms the numbers of a cell to coefficients. They may have bits above
	// those of a number.
	encode(coef []uint64, cell []byte, dims, exp int)
	// decode undoes encode.
	decode(cell []byte, coef []uint64, dims, exp int)
}

// Coefficients are coded in base -2, so that small coefficients of either sign have zeros
// above their highest set bit. The mask holds the digits of negative weight.
const mask = 0xaaaaaaaaaaaaaaaa

type float interface{ float32 | float64 }

// A numbers is the scalar for numbers of type F, which are converted to integers of as many
// bits.
type numbers[F float, T integer] struct{ ints [maxCell]T }

func sizeOf[F float]() int { return int(unsafe.Sizeof(F(0))) }

// load returns number i of a cell.
func load[F float](cell []byte, i int) F {
	if sizeOf[F]() == 4 {
		return F(math.Float32frombits(binary.LittleEndian.Uint32(cell[4*i:])))
	}
	return F(math.Float64frombits(binary.LittleEndian.Uint64(cell[8*i:])))
}

func store[F float](cell []byte, i int, x F) {
	if sizeOf[F]() == 4 {
		binary.LittleEndian.PutUint32(cell[4*i:], math.Float32bits(float32(x)))
	} else {
		binary.LittleEndian.PutUint64(cell[8*i:], math.Float64bits(float64(x)))
	}
}

// exponent returns the exponent of the least normal number if all numbers are subnormal,
// and one less if all are 0.
func (*numbers[F, T]) exponent(cell []byte) (exp int, ok bool) {
	size, top := sizeOf[F](), 0.0
	for i := range len(cell) / size {
		x := math.Abs(float64(load[F](cell, i)))
		if !(x <= math.MaxFloat64) {
			return 0, false
		}
		top = max(top, x)
	}
	bias := exponentBias(size)
	if top == 0 {
		return -bias, true
	}
	_, exp = math.Frexp(top)
	return max(exp, 1-bias), true
}

// intBits returns the bits of the integers. The two highest ones are reserved for growth
// in the transform.
func intBits[F float]() int { return 8*sizeOf[F]() - 2 }

func (f *numbers[F, T]) encode(coef []uint64, cell []byte, dims, exp int) {
	p := f.ints[:len(coef)]
	scale := intBits[F]() - exp
	half := scale / 2 // the power of scale may be too large for a float64
	scale1, scale2 := math.Ldexp(1, half), math.Ldexp(1, scale-half)
	for i := range p {
		p[i] = T(float64(load[F](cell, i)) * scale1 * scale2)
	}
	forward(p)
	for i, place := range order[dims] {
		coef[i] = (uint64(p[place]) + mask) ^ mask
	}
}

func (f *numbers[F, T]) decode(cell []byte, coef []uint64, dims, exp int) {
	p := f.ints[:len(coef)]
	for i, place := range order[dims] {
		p[place] = T((coef[i] ^ mask) - mask)
	}
	backward(p)
	scale := F(math.Ldexp(1, exp-intBits[F]())) // 0 if exp is below -119 for float32, or -1012 for float64, as in zfp
	for i, v := range p {
		store(cell, i, scale*F(v))
	}
}
