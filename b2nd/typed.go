package b2nd

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/items"
	"github.com/seed03b80dae/blosc2/meta"
)

// DType returns the NumPy type for items of type T: "<f8" for float64, "|b1" for
// bool, "|V5" for [5]byte, and that of the fields, one after the other, for a
// struct. For any other T, such as int or string, the error is a
// *blosc2.OptionError.
func DType[T any]() (meta.DType, error) {
	t, err := items.Of[T]()
	if err != nil {
		return meta.DType{}, err
	}
	d, _, err := t.DType()
	return d, err
}

// SpecOf returns the Spec of an array of items of type T: its DType is that of
// the function DType, and its partition is chosen automatically. The first
// dimension may be Unknown.
func SpecOf[T any](shape ...int64) (Spec, error) {
	t, err := items.Of[T]()
	if err != nil {
		return Spec{}, err
	}
	_, text, err := t.DType()
	return Spec{Shape: shape, DType: text}, err
}

// Read reads the items of w, all of the array if it is nil, in C order and in the
// byte order of the machine. T must match the array's dtype, because values are
// never converted; any other T returns a *blosc2.OptionError. Dates and time
// differences are int64, booleans bool or uint8, strings and plain bytes of N bytes
// [N]byte, characters [N]rune. Fields of a struct are matched by name, and may be
// omitted; see also ReadField. ReadWindow reads items of any type as bytes.
//
// If items of a struct have another layout than its values in memory, Read
// needs memory for both.
func Read[T any](a *Array, w Window) ([]T, error) {
	plan, err := readPlan[T](a)
	if err != nil {
		return nil, err
	}
	w, n, err := a.take(w, plan.MemSize())
	if err != nil || n == 0 {
		return []T{}, err
	}
	all := make([]T, n)
	if err := a.read(items.Bytes(all), w, plan); err != nil {
		return nil, err
	}
	return all, nil
}

// ReadInto is like Read, but reads into dst, which must have as many items as w.
// After an error the contents of dst are undefined.
func ReadInto[T any](a *Array, dst []T, w Window) error {
	plan, err := readPlan[T](a)
	if err != nil {
		return err
	}
	w, n, err := a.take(w, 0)
	if err != nil {
		return err
	}
	if int64(len(dst)) != n {
		return &blosc2.OptionError{Option: "length of dst", Value: len(dst), Range: fmt.Sprintf("%d, the items of the window", n)}
	}
	return a.read(items.Bytes(dst), w, plan)
}

// readPlan returns how items of the array are read as Ts.
func readPlan[T any](a *Array) (*items.Plan, error) {
	t, err := items.Of[T]()
	if err != nil {
		return nil, err
	}
	return t.PlanOf(&a.dtype, a.text, false, "the array's type")
}

// read reads the items of w, which is within the array, into the memory of
// values.
func (a *Array) read(dst []byte, w Window, plan *items.Plan) error {
	if plan.Direct() {
		err := a.readWindow(dst, w)
		plan.Turn(dst)
		return err
	}
	stored, err := a.alloc(int64(len(dst)/plan.MemSize()) * a.grid.item)
	if err != nil {
		return err
	}
	if err := a.readWindow(stored, w); err != nil {
		return err
	}
	plan.Load(dst, stored)
	return nil
}

// ReadField reads a field of the items of w, all of the array if it is nil, as
// Read does for whole items. The array's DType lists the fields and their
// types. The items of a field that is itself an array are consecutive.
func ReadField[T any](a *Array, name string, w Window) ([]T, error) {
	f, ok := field(a.dtype, name)
	if !ok {
		return nil, &blosc2.OptionError{Option: "field", Value: name, Range: fmt.Sprintf("one of %v", a.dtype)}
	}
	t, err := items.Of[T]()
	if err != nil {
		return nil, err
	}
	plan, err := t.PlanOf(&f.Type, f.Type.String(), false, "the type of the array's field "+name)
	if err != nil {
		return nil, err
	}
	w, n, err := a.take(w, int(a.grid.item))
	if err != nil || n == 0 {
		return []T{}, err
	}
	records := make([]byte, n*a.grid.item)
	if err := a.readWindow(records, w); err != nil {
		return nil, err
	}
	// Move the fields together in place. This is safe because no field is longer than its
	// record.
	to := records[:0]
	for rest := records; len(rest) > 0; rest = rest[a.grid.item:] {
		to = append(to, rest[f.Offset:f.Offset+f.Len()]...)
	}
	all := make([]T, len(to)/f.Type.Size)
	plan.Load(items.Bytes(all), to)
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

// take returns the window, all of the array if it is nil, and its number of
// items, or an error if that many of size bytes exceed the limit.
func (a *Array) take(w Window, size int) (Window, int64, error) {
	if w == nil {
		w = All(a.grid.shape)
	}
	w, err := w.in(a.grid.shape)
	if err != nil {
		return nil, 0, err
	}
	n := product(w.lens())
	if bytes := mul(n, int64(size)); bytes > a.cfg.memory || int64(int(bytes)) != bytes {
		return nil, 0, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "%d items of %d bytes; the limit is %d bytes (MaxAlloc)", n, size, a.cfg.memory)
	}
	return w, n, nil
}
