package reduce

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/items"
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
	name  string // such as "f4"
	dtype meta.DType
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
		it := itemType{size: t.Size, name: text[1:], dtype: t}
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
	dst = slices.Grow(dst[:0], n)[:n]
	items.Numbers(dst, src, t.dtype)
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
