package b2nd

import (
	"fmt"
	"unsafe"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Number is a type of Go that items can be read as.
type Number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | complex64 | complex128
}

// Read reads the items of w, all of the array if it is nil, in C order and in
// the byte order of the machine. T must be what the array's dtype says: any
// other is blosc2.ErrUnsupported, because values are never converted. Dates and
// time differences are int64, booleans uint8.
func Read[T Number](a *Array, w Window) ([]T, error) {
	if w == nil {
		w = All(a.grid.shape)
	}
	if err := w.check(a.grid.shape); err != nil {
		return nil, err
	}
	if err := checkType[T](a.dtype); err != nil {
		return nil, err
	}
	n := product(w.lens())
	if bytes := mul(n, a.grid.item); bytes > a.cfg.memory || int64(int(bytes)) != bytes {
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "%d items of %d bytes, the limit is %d bytes (MaxAlloc)", n, a.grid.item, a.cfg.memory)
	}
	items := make([]T, n)
	if n == 0 {
		return items, nil
	}
	b := bytesOf(items)
	if err := a.ReadWindow(b, w); err != nil {
		return nil, err
	}
	if foreign(a.dtype.Order) {
		swap(b, partSize(a.dtype))
	}
	return items, nil
}

// At reads one item.
func At[T Number](a *Array, index ...int64) (T, error) {
	var zero T
	w := make(Window, len(index))
	for d, i := range index {
		w[d] = Span{Start: i, Stop: i + 1, Step: 1}
	}
	items, err := Read[T](a, w)
	if err != nil {
		return zero, err
	}
	return items[0], nil
}

// bytesOf gives the memory of items.
func bytesOf[T Number](items []T) []byte {
	if len(items) == 0 {
		return nil
	}
	var t T
	return unsafe.Slice((*byte)(unsafe.Pointer(&items[0])), len(items)*int(unsafe.Sizeof(t)))
}

// checkType tells whether items of dtype d are Ts.
func checkType[T Number](d meta.DType) error {
	var t T
	kind := meta.Kind(0)
	switch any(t).(type) {
	case int8, int16, int32, int64:
		kind = meta.Int
	case uint8, uint16, uint32, uint64:
		kind = meta.Uint
	case float32, float64:
		kind = meta.Float
	case complex64, complex128:
		kind = meta.Complex
	}
	have := d.Kind
	switch have {
	case meta.DateTime, meta.TimeDelta:
		have = meta.Int
	case meta.Bool:
		have = meta.Uint
	}
	if have != kind || d.Size != int(unsafe.Sizeof(t)) {
		return fmt.Errorf("%w: items are %v, not %T", blosc2.ErrUnsupported, d, t)
	}
	return nil
}

// partSize is the number of bytes whose order matters: of a complex number,
// half of it.
func partSize(d meta.DType) int {
	if d.Kind == meta.Complex {
		return d.Size / 2
	}
	return d.Size
}

// foreign tells whether a byte order is not the machine's.
func foreign(order byte) bool {
	one := uint16(1)
	little := *(*byte)(unsafe.Pointer(&one)) == 1
	return order == '>' && little || order == '<' && !little
}

// swap turns the bytes of each n round.
func swap(b []byte, n int) {
	if n < 2 {
		return
	}
	for ; len(b) >= n; b = b[n:] {
		for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}
