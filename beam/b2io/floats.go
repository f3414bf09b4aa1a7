package b2io

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/seed03b80dae/blosc2/meta"
)

// Floats appends the items to dst as float64. Integers above 2⁵³ are rounded. Items
// that are not integers, float32 or float64 are an error.
func (w *Window) Floats(dst []float64) ([]float64, error) {
	t, err := meta.ParseDType(w.DType)
	if err != nil || t.Size != w.ItemSize {
		return dst, fmt.Errorf("b2io: items of dtype %q in %s are not numbers", w.DType, w.Source)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if t.Order == '>' {
		order = binary.BigEndian
	}
	b := w.Items
	if dst == nil {
		dst = make([]float64, 0, len(b)/w.ItemSize)
	}
	switch fmt.Sprintf("%c%d", t.Kind, t.Size) {
	case "f8":
		return appendFloats(dst, b, 8, func(p []byte) float64 { return math.Float64frombits(order.Uint64(p)) }), nil
	case "f4":
		return appendFloats(dst, b, 4, func(p []byte) float64 { return float64(math.Float32frombits(order.Uint32(p))) }), nil
	case "i8":
		return appendFloats(dst, b, 8, func(p []byte) float64 { return float64(int64(order.Uint64(p))) }), nil
	case "i4":
		return appendFloats(dst, b, 4, func(p []byte) float64 { return float64(int32(order.Uint32(p))) }), nil
	case "i2":
		return appendFloats(dst, b, 2, func(p []byte) float64 { return float64(int16(order.Uint16(p))) }), nil
	case "i1":
		return appendFloats(dst, b, 1, func(p []byte) float64 { return float64(int8(p[0])) }), nil
	case "u8":
		return appendFloats(dst, b, 8, func(p []byte) float64 { return float64(order.Uint64(p)) }), nil
	case "u4":
		return appendFloats(dst, b, 4, func(p []byte) float64 { return float64(order.Uint32(p)) }), nil
	case "u2":
		return appendFloats(dst, b, 2, func(p []byte) float64 { return float64(order.Uint16(p)) }), nil
	case "u1", "b1":
		return appendFloats(dst, b, 1, func(p []byte) float64 { return float64(p[0]) }), nil
	}
	return dst, fmt.Errorf("b2io: items of dtype %q in %s are not numbers", w.DType, w.Source)
}

func appendFloats(dst []float64, b []byte, size int, value func([]byte) float64) []float64 {
	for ; len(b) >= size; b = b[size:] {
		dst = append(dst, value(b[:size]))
	}
	return dst
}
