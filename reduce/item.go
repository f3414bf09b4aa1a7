package reduce

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// A kind is a type of numbers for computing.
type kind uint8

const (
	signed kind = iota
	unsigned
	float
)

// An itemType is a NumPy type of numbers.
type itemType struct {
	kind  kind
	size  int
	order binary.ByteOrder
	name  string // such as "f4"
}

// little returns the type in little-endian order.
func (t itemType) little() string {
	if t.size == 1 {
		return "|" + t.name
	}
	return "<" + t.name
}

func typeOf(t meta.DType) (itemType, error) {
	text := t.String()
	if len(text) == 3 {
		it := itemType{size: int(text[2] - '0'), order: binary.LittleEndian, name: text[1:]}
		if text[0] == '>' {
			it.order = binary.BigEndian
		}
		switch text[1:] {
		case "i1", "i2", "i4", "i8":
			return it, nil
		case "u1", "u2", "u4", "u8", "b1":
			it.kind = unsigned
			return it, nil
		case "f4", "f8":
			it.kind = float
			return it, nil
		}
	}
	return itemType{}, fmt.Errorf("reduce: %w: items of dtype %s", blosc2.ErrUnsupported, text)
}

// A number is a Go type to which items are converted.
type number interface{ int64 | uint64 | float64 }

// numbers converts items.
func numbers[T number](dst []T, src []byte, t itemType) []T {
	n := len(src) / t.size
	if cap(dst) < n {
		dst = make([]T, n)
	}
	dst = dst[:n]
	little := t.order == binary.LittleEndian
	switch {
	case t.name == "f4" && little:
		for i := range dst {
			dst[i] = T(math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:])))
		}
	case t.name == "f8" && little:
		for i := range dst {
			dst[i] = T(math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:])))
		}
	case t.name == "f4":
		for i := range dst {
			dst[i] = T(math.Float32frombits(t.order.Uint32(src[4*i:])))
		}
	case t.name == "f8":
		for i := range dst {
			dst[i] = T(math.Float64frombits(t.order.Uint64(src[8*i:])))
		}
	case t.size == 8 && t.kind == signed:
		for i := range dst {
			dst[i] = T(int64(t.order.Uint64(src[8*i:])))
		}
	case t.size == 8:
		for i := range dst {
			dst[i] = T(t.order.Uint64(src[8*i:]))
		}
	case t.size == 4 && t.kind == signed:
		for i := range dst {
			dst[i] = T(int32(t.order.Uint32(src[4*i:])))
		}
	case t.size == 4:
		for i := range dst {
			dst[i] = T(t.order.Uint32(src[4*i:]))
		}
	case t.size == 2 && t.kind == signed:
		for i := range dst {
			dst[i] = T(int16(t.order.Uint16(src[2*i:])))
		}
	case t.size == 2:
		for i := range dst {
			dst[i] = T(t.order.Uint16(src[2*i:]))
		}
	case t.kind == signed:
		for i := range dst {
			dst[i] = T(int8(src[i]))
		}
	default:
		for i := range dst {
			dst[i] = T(src[i])
		}
	}
	return dst
}

// appendItem appends v as an item of the type, little-endian.
func appendItem[T number](dst []byte, v T, t itemType) []byte {
	switch t.name {
	case "f8":
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(float64(v)))
	case "f4":
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v)))
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(int64(v)))
	if _, ok := any(v).(uint64); ok {
		binary.LittleEndian.PutUint64(b[:], uint64(v))
	}
	return append(dst, b[:t.size]...)
}
