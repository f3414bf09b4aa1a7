package b2nd

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/items"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Number is a type of Go that items can be read as: one whose values are
// integers of a fixed size, floating-point or complex numbers.
type Number = items.Number

// Read reads the items of w, all of the array if it is nil, in C order and in
// the byte order of the machine. T must be what the array's dtype says: any
// other is blosc2.ErrUnsupported, because values are never converted. Dates and
// time differences are int64, booleans uint8. Items of any other type, such as
// structures and strings, are read as they are by ReadWindow; fields of a
// structure also by ReadField.
func Read[T Number](a *Array, w Window) ([]T, error) {
	if err := holds[T](a.dtype, "items"); err != nil {
		return nil, err
	}
	w, n, err := a.take(w)
	if err != nil || n == 0 {
		return []T{}, err
	}
	all := make([]T, n)
	b := items.Bytes(all)
	if err := a.ReadWindow(b, w); err != nil {
		return nil, err
	}
	items.ToNative(b, a.dtype)
	return all, nil
}

// At reads one item.
func At[T Number](a *Array, index ...int64) (T, error) {
	var zero T
	w := make(Window, len(index))
	for d, i := range index {
		w[d] = Span{Start: i, Stop: i + 1, Step: 1}
	}
	one, err := Read[T](a, w)
	if err != nil {
		return zero, err
	}
	return one[0], nil
}

// ReadField reads a field of the items of w, all of the array if it is nil, as
// Read does for whole items. Which fields there are, and of what type, is in
// the array's DType. Of a field that is an array itself, all its items follow
// each other.
func ReadField[T Number](a *Array, name string, w Window) ([]T, error) {
	f, ok := field(a.dtype, name)
	if !ok {
		return nil, fmt.Errorf("%w: items are %v, without a field %q", blosc2.ErrUnsupported, a.dtype, name)
	}
	if err := holds[T](f.Type, "field "+name); err != nil {
		return nil, err
	}
	w, n, err := a.take(w)
	if err != nil || n == 0 {
		return []T{}, err
	}
	records := make([]byte, n*a.grid.item)
	if err := a.ReadWindow(records, w); err != nil {
		return nil, err
	}
	all := make([]T, n*int64(f.Len()/f.Type.Size))
	to := items.Bytes(all)
	for b := to; len(b) > 0; b = b[f.Len():] {
		copy(b, records[f.Offset:f.Offset+f.Len()])
		records = records[a.grid.item:]
	}
	items.ToNative(to, f.Type)
	return all, nil
}

// field finds a field by its name.
func field(d meta.DType, name string) (meta.Field, bool) {
	for _, f := range d.Fields {
		if f.Name == name && f.Len() > 0 {
			return f, true
		}
	}
	return meta.Field{}, false
}

// take gives the window, all of the array if it is nil, and its number of items,
// if they may be held in memory.
func (a *Array) take(w Window) (Window, int64, error) {
	if w == nil {
		w = All(a.grid.shape)
	}
	if err := w.check(a.grid.shape); err != nil {
		return nil, 0, err
	}
	n := product(w.lens())
	if bytes := mul(n, a.grid.item); bytes > a.cfg.memory || int64(int(bytes)) != bytes {
		return nil, 0, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "%d items of %d bytes, the limit is %d bytes (MaxAlloc)", n, a.grid.item, a.cfg.memory)
	}
	return w, n, nil
}

// holds tells whether values of dtype d are Ts.
func holds[T Number](d meta.DType, what string) error {
	if !items.Holds(items.TypeOf[T](), d) {
		return fmt.Errorf("%w: %s are %v, not %T", blosc2.ErrUnsupported, what, d, *new(T))
	}
	return nil
}
