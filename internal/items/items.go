// Package items knows how the numbers of Go lie in memory, and which NumPy types
// they are.
package items

import (
	"encoding/binary"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/seed03b80dae/blosc2/meta"
)

// A Number is a type of Go whose values are items.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64 | ~complex64 | ~complex128
}

// Bytes is the memory of s.
func Bytes[T Number](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// TypeOf gives the type of T, in little-endian order, which is that of files.
func TypeOf[T Number]() meta.DType {
	d := meta.DType{Order: '<', Size: int(unsafe.Sizeof(*new(T)))}
	if d.Size == 1 {
		d.Order = '|'
	}
	switch kind := reflect.TypeFor[T]().Kind(); {
	case kind >= reflect.Complex64:
		d.Kind = meta.Complex
	case kind >= reflect.Float32:
		d.Kind = meta.Float
	case kind >= reflect.Uint:
		d.Kind = meta.Uint
	default:
		d.Kind = meta.Int
	}
	return d
}

// Holds tells whether values of type t are items of dtype d, whatever their
// order: dates and time differences are integers, booleans unsigned ones.
func Holds(t, d meta.DType) bool {
	switch d.Kind {
	case meta.DateTime, meta.TimeDelta:
		d.Kind = meta.Int
	case meta.Bool:
		d.Kind = meta.Uint
	}
	return t.Kind == d.Kind && t.Size == d.Size
}

// LittleEndian tells whether the machine's memory is.
var LittleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// ToNative turns the items of dtype d, of which b is whole ones, into the
// machine's order, or from it into theirs.
func ToNative(b []byte, d meta.DType) {
	if d.Order == '>' && LittleEndian || d.Order == '<' && !LittleEndian {
		unit := d.Size
		if d.Kind == meta.Complex {
			unit /= 2
		}
		swap(b, unit)
	}
}

// swap turns the bytes of each unit round.
func swap(b []byte, unit int) {
	le := binary.LittleEndian
	switch unit {
	case 2:
		for ; len(b) >= 2; b = b[2:] {
			le.PutUint16(b, bits.ReverseBytes16(le.Uint16(b)))
		}
	case 4:
		for ; len(b) >= 4; b = b[4:] {
			le.PutUint32(b, bits.ReverseBytes32(le.Uint32(b)))
		}
	case 8:
		for ; len(b) >= 8; b = b[8:] {
			le.PutUint64(b, bits.ReverseBytes64(le.Uint64(b)))
		}
	}
}
