package serve

import (
	"encoding/binary"
	"math"
	"math/cmplx"
	"slices"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/internal/items"
	"github.com/seed03b80dae/blosc2/meta"
)

// parts holds the parts of complex numbers that can be shown.
var parts = []string{"abs", "angle", "re", "im"}

// A converter appends items as numbers to dst. Items without a value, such as NaT,
// are NaN.
type converter func(dst []float64, b []byte) []float64

// converterOf returns the converter of a type, and of the part of complex numbers.
func converterOf(d meta.DType, part string) (converter, error) {
	if items.Numbers[float64](nil, nil, d) {
		return func(dst []float64, b []byte) []float64 {
			at, n := len(dst), len(b)/d.Size
			dst = slices.Grow(dst, n)[:at+n]
			items.Numbers(dst[at:], b, d)
			return dst
		}, nil
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
