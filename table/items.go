package table

import (
	"encoding/binary"
	"math"

	"github.com/seed03b80dae/blosc2/meta"
)

// itemIs returns a function that reports whether the bytes of an item of type t are the
// schema's null value. It returns nil if no item can be.
func itemIs(t meta.DType, null any) func(b []byte) bool {
	order := binary.ByteOrder(binary.LittleEndian)
	if t.Order == '>' {
		order = binary.BigEndian
	}
	word := func(b []byte) uint64 {
		switch len(b) {
		case 1:
			return uint64(b[0])
		case 2:
			return uint64(order.Uint16(b))
		case 4:
			return uint64(order.Uint32(b))
		case 8:
			return order.Uint64(b)
		}
		return 0
	}
	switch {
	case t.Kind == meta.Float && (t.Size == 4 || t.Size == 8):
		want, ok := asFloat(null)
		if !ok {
			return nil
		}
		return func(b []byte) bool {
			f := math.Float64frombits(word(b))
			if t.Size == 4 {
				f = float64(math.Float32frombits(uint32(word(b))))
			}
			return f == want || f != f && want != want
		}
	case (t.Kind == meta.Int || t.Kind == meta.Uint || t.Kind == meta.Bool) && (t.Size == 1 || t.Size == 2 || t.Size == 4 || t.Size == 8):
		var want uint64
		switch n := null.(type) {
		case int64:
			want = uint64(n)
		case uint64:
			want = n
		default:
			return nil
		}
		want &= math.MaxUint64 >> (64 - 8*t.Size)
		return func(b []byte) bool { return word(b) == want }
	}
	return nil
}
