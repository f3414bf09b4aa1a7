package zfp

import (
	"encoding/binary"
	"math"
)

// A scalar codes the numbers of one cell, which are contiguous (x varies fastest), as
// integers relative to a power of two that exceeds all of them.
type scalar interface {
	// exponent returns the exponent of the power of two that exceeds all numbers of a
	// cell; ok is false if a number is not finite.
	exponent(cell []byte) (exp int, ok bool)
	// encode transforms the numbers of a cell to coefficients.
	encode(coef []uint64, cell []byte, dims, exp int)
	// decode undoes encode.
	decode(cell []byte, coef []uint64, dims, exp int)
}

// Coefficients are coded in base -2, so that small coefficients of either sign have zeros
// above their highest set bit. The masks hold the digits of negative weight.
const (
	mask32 = 0xaaaaaaaa
	mask64 = 0xaaaaaaaaaaaaaaaa
)

type float32s struct{ ints [maxCell]int32 }

func (*float32s) exponent(cell []byte) (exp int, ok bool) {
	top := float32(0)
	for ; len(cell) > 0; cell = cell[4:] {
		x := math.Float32frombits(binary.LittleEndian.Uint32(cell) &^ (1 << 31))
		if !(x <= math.MaxFloat32) {
			return 0, false
		}
		top = max(top, x)
	}
	return exponent(float64(top), exponentBias(4)), true
}

// exponent returns the exponent of the least power of two above x. For subnormal
// numbers it is that of the least normal one, and for 0 one less.
func exponent(x float64, bias int) int {
	if x == 0 {
		return -bias
	}
	_, exp := math.Frexp(x)
	return max(exp, 1-bias)
}

// The two highest bits are reserved for growth in the transform.
func (f *float32s) encode(coef []uint64, cell []byte, dims, exp int) {
	p := f.ints[:len(coef)]
	scale := math.Ldexp(1, 30-exp)
	for i := range p {
		p[i] = int32(scale * float64(math.Float32frombits(binary.LittleEndian.Uint32(cell[4*i:]))))
	}
	forward(p, dims)
	for i, place := range order[dims] {
		coef[i] = uint64((uint32(p[place]) + mask32) ^ mask32)
	}
}

func (f *float32s) decode(cell []byte, coef []uint64, dims, exp int) {
	p := f.ints[:len(coef)]
	for i, place := range order[dims] {
		p[place] = int32((uint32(coef[i]) ^ mask32) - mask32)
	}
	backward(p, dims)
	scale := float32(math.Ldexp(1, exp-30)) // the result is 0 if exp is below -119, as in zfp
	for i, v := range p {
		binary.LittleEndian.PutUint32(cell[4*i:], math.Float32bits(scale*float32(v)))
	}
}

type float64s struct{ ints [maxCell]int64 }

func (*float64s) exponent(cell []byte) (exp int, ok bool) {
	top := 0.0
	for ; len(cell) > 0; cell = cell[8:] {
		x := math.Float64frombits(binary.LittleEndian.Uint64(cell) &^ (1 << 63))
		if !(x <= math.MaxFloat64) {
			return 0, false
		}
		top = max(top, x)
	}
	return exponent(top, exponentBias(8)), true
}

func (f *float64s) encode(coef []uint64, cell []byte, dims, exp int) {
	p := f.ints[:len(coef)]
	half := (62 - exp) / 2 // 2^(62-exp) may be too large for a float64
	scale1, scale2 := math.Ldexp(1, half), math.Ldexp(1, 62-exp-half)
	for i := range p {
		p[i] = int64(math.Float64frombits(binary.LittleEndian.Uint64(cell[8*i:])) * scale1 * scale2)
	}
	forward(p, dims)
	for i, place := range order[dims] {
		coef[i] = (uint64(p[place]) + mask64) ^ mask64
	}
}

func (f *float64s) decode(cell []byte, coef []uint64, dims, exp int) {
	p := f.ints[:len(coef)]
	for i, place := range order[dims] {
		p[place] = int64((coef[i] ^ mask64) - mask64)
	}
	backward(p, dims)
	scale := math.Ldexp(1, exp-62) // the result is 0 if exp is below -1012
	for i, v := range p {
		binary.LittleEndian.PutUint64(cell[8*i:], math.Float64bits(scale*float64(v)))
	}
}
