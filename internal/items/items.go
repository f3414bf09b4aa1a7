// Package items maps Go types to NumPy types, and converts values between memory and
// their stored form.
package items

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/seed03b80dae/blosc2/meta"
)

// Bytes returns the memory of s. It must not be written if T is invalid for Of.
func Bytes[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// Holds reports whether values of type t are items of dtype d, regardless of the
// byte order: dates and time differences are integers, and booleans are unsigned
// integers.
func Holds(t, d meta.DType) bool {
	switch d.Kind {
	case meta.DateTime, meta.TimeDelta:
		d.Kind = meta.Int
	case meta.Bool:
		d.Kind = meta.Uint
	}
	return t.Kind == d.Kind && t.Size == d.Size
}

// LittleEndian reports whether the machine is little-endian.
var LittleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// swap reverses the bytes of each unit.
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
