package filters

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// A truncFilter clears low bits: of the mantissa of floating-point numbers (trunc_prec,
// §5), or of integers (int_trunc, §6). Its meta, as an int8, is the number of bits to
// keep or, if negative, to clear. It does not round, and Backward copies.
//
// C-Blosc2's encoder does not write the bytes after the last whole item. This filter
// copies them.
type truncFilter struct {
	builtin
	bits func(typesize int) int // bits of an item that can be kept or cleared; 0 for unsupported sizes
}

func mantissa(typesize int) int {
	switch typesize {
	case 4:
		return 23
	case 8:
		return 52
	}
	return 0
}

func integer(typesize int) int {
	switch typesize {
	case 1, 2, 4, 8:
		return 8 * typesize
	}
	return 0
}

// cleared returns the number of bits to clear, or a negative number if the parameters are
// invalid.
func (f truncFilter) cleared(p Params) int {
	bits, keep := f.bits(p.TypeSize), int(int8(p.Meta))
	clear := bits - keep
	if keep < 0 {
		clear = -keep
	}
	if clear >= bits {
		return -1
	}
	return clear
}

// Check implements Filter.
func (f truncFilter) Check(p Params) error {
	bits := f.bits(p.TypeSize)
	if bits == 0 {
		return &blosc2.OptionError{Option: "typesize for filter " + f.Name(), Value: p.TypeSize, Range: "4 or 8 for trunc_prec; 1, 2, 4 or 8 for int_trunc"}
	}
	if f.cleared(p) < 0 {
		return &blosc2.OptionError{Option: "meta of filter " + f.Name(), Value: int8(p.Meta), Range: fmt.Sprintf("1 to %d (bits to keep) or -1 to -%d (bits to clear)", bits, bits-1)}
	}
	return nil
}

// Forward implements Filter.
func (f truncFilter) Forward(dst, src []byte, p Params) error {
	if err := f.Check(p); err != nil {
		return err
	}
	shuffle.ClearLow(dst, src, p.TypeSize, f.cleared(p))
	return nil
}

// Backward implements Filter.
func (f truncFilter) Backward(dst, src []byte, _ Params) error {
	copy(dst, src)
	return nil
}

func (f truncFilter) leaves(_ int, _ Params, forward bool) bool { return !forward }
