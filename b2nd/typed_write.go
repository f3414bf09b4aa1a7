package b2nd

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/items"
)

// WriteSlice writes the items of s, in C order, as Write does with their bytes.
// T must match the array's dtype, whatever its byte order; any other returns a
// *blosc2.OptionError, and so do more items than the shape holds. A struct must
// have all fields of the dtype, matched by name; bytes between them become zeros.
// n counts items.
func WriteSlice[T any](w *Writer, s []T) (n int, err error) {
	if err := w.ready(); err != nil {
		return 0, err
	}
	t, err := items.Of[T]()
	if err != nil {
		return 0, err
	}
	plan, err := t.PlanText(w.desc.DType, true, "the array's type")
	if err != nil {
		return 0, err
	}
	return plan.Write(w, items.Bytes(s))
}

// Set sets the items of w, all of the array if it is nil, to those of s, which
// are in C order. T must match the array's dtype, as for WriteSlice.
func Set[T any](e *Editor, w Window, s []T) error {
	src, err := stored(e, s)
	if err != nil {
		return err
	}
	if w == nil {
		w = All(e.grid.shape)
	}
	return e.SetWindow(src, w)
}

// AppendSlice extends the array along an axis by the items of s, in C order,
// which must be whole slices across that axis. T must match the array's dtype,
// as for WriteSlice.
func AppendSlice[T any](e *Editor, axis int, s []T) error {
	src, err := stored(e, s)
	if err != nil {
		return err
	}
	return e.Append(axis, src)
}

// stored returns the bytes of s as the array stores them. If they are the same as in
// memory it does not copy them.
func stored[T any](e *Editor, s []T) ([]byte, error) {
	t, err := items.Of[T]()
	if err != nil {
		return nil, err
	}
	plan, err := t.PlanOf(&e.dtype, e.text, true, "the array's type")
	if err != nil {
		return nil, err
	}
	b := items.Bytes(s)
	if plan.Plain() {
		return b, nil
	}
	n := mul(int64(len(s)), int64(plan.ItemSize()))
	if int64(int(n)) != n {
		return nil, &blosc2.OptionError{Option: "number of items", Value: len(s), Range: fmt.Sprintf("small enough to fit into memory with %d bytes each", plan.ItemSize())}
	}
	e.stored = append(e.stored[:0], make([]byte, n)...)
	plan.Store(e.stored, b)
	return e.stored, nil
}
