package serve

import (
	"encoding/binary"
	"math"
	"math/cmplx"
	"slices"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/meta"
)

// parts holds the parts of complex numbers that can be shown.
var parts = []string{"abs", "angle", "re", "im"}

// A converter appends items as numbers to dst. Items without a value, such as NaT,
// are NaN.
type converter func(dst []float64, b []byte) []float64

// converterOf returns the converter of a type, and of the part of complex numbers.
func converterOf(d meta.DType, part string) (converter, error) {
	if f := fastConverter(d); f != nil {
		return f, nil
	}
	size := d.Size
	if d.Kind == meta.Complex {
		if _, ok := item.Real(d, make([]byte, size/2)); ok {
			return func(dst []float64, b []byte) []float64 {
				for ; len(b) >= size; b = b[size:] {
					re, _ := item.Real(d, b[:size/2])
					im, _ := item.Real(d, b[size/2:size])
					dst = append(dst, partOf(complex(re, im), part))
				}
				return dst
			}, nil
		}
	}
	if _, ok := item.Number(d, make([]byte, size)); !ok {
		return nil, badf("items of type %v are not numbers; field selects a field, dtype another type", d)
	}
	return func(dst []float64, b []byte) []float64 {
		for ; len(b) >= size; b = b[size:] {
			v, _ := item.Number(d, b[:size])
			dst = append(dst, v)
		}
		return dst
	}, nil
}

func partOf(c complex128, part string) float64 {
	switch part {
	case "re":
		return real(c)
	case "im":
		return imag(c)
	case "angle":
		return cmplx.Phase(c)
	}
	return cmplx.Abs(c)
}

// fastConverter returns the converter of a common little-endian type, or nil.
func fastConverter(d meta.DType) converter {
	if d.Order == '>' {
		return nil
	}
	le := binary.LittleEndian
	switch {
	case d.Kind == meta.Float && d.Size == 4:
		return float32s
	case d.Kind == meta.Float && d.Size == 8:
		return float64s
	case d.Kind == meta.Uint && d.Size == 1:
		return each(1, func(b []byte) float64 { return float64(b[0]) })
	case d.Kind == meta.Int && d.Size == 1:
		return each(1, func(b []byte) float64 { return float64(int8(b[0])) })
	case d.Kind == meta.Uint && d.Size == 2:
		return each(2, func(b []byte) float64 { return float64(le.Uint16(b)) })
	case d.Kind == meta.Int && d.Size == 2:
		return each(2, func(b []byte) float64 { return float64(int16(le.Uint16(b))) })
	case d.Kind == meta.Int && d.Size == 4:
		return each(4, func(b []byte) float64 { return float64(int32(le.Uint32(b))) })
	case d.Kind == meta.Uint && d.Size == 4:
		return each(4, func(b []byte) float64 { return float64(le.Uint32(b)) })
	case d.Kind == meta.Int && d.Size == 8:
		return each(8, func(b []byte) float64 { return float64(int64(le.Uint64(b))) })
	}
	return nil
}

// The two most common types have separate loops, without a call for each item.

func float32s(dst []float64, b []byte) []float64 {
	n, at := len(b)/4, len(dst)
	dst = slices.Grow(dst, n)[:at+n]
	for i := range dst[at:] {
		dst[at+i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return dst
}

func float64s(dst []float64, b []byte) []float64 {
	n, at := len(b)/8, len(dst)
	dst = slices.Grow(dst, n)[:at+n]
	for i := range dst[at:] {
		dst[at+i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return dst
}

func each(size int, value func(b []byte) float64) converter {
	return func(dst []float64, b []byte) []float64 {
		for ; len(b) >= size; b = b[size:] {
			dst = append(dst, value(b))
		}
		return dst
	}
}

// appendFloats appends numbers as float32 or float64, little-endian.
func appendFloats(dst []byte, values []float64, as string) []byte {
	for _, v := range values {
		if as == "f4" {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v)))
		} else {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		}
	}
	return dst
}
