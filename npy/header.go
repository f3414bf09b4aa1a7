package npy

import (
	"math"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// Unknown as a dimension of a Writer's shape says that the array grows until
// Close. It must be the slowest dimension: the first, or in Fortran order the
// last.
const Unknown = -1

// maxDims is the limit of NumPy since version 2.
const maxDims = 64

// A Header describes the array in a file.
type Header struct {
	DType   string  // type of an item, as [meta.ParseDType] reads it
	Fortran bool    // the first dimension varies fastest, not the last
	Shape   []int64 // items along each dimension; none for a scalar

	// Version is the version of the format, 1 to 3: lengths of 64 KiB and more need
	// 2, and names of fields beyond Latin-1 need 3. When writing, 0 selects the
	// lowest that suffices, as NumPy does.
	Version int
}

// Type returns the type of an item. An invalid DType, or one of Python objects,
// returns blosc2.ErrUnsupported.
func (h *Header) Type() (meta.DType, error) {
	t, err := meta.ParseDType(h.DType)
	if err == nil {
		return t, nil
	}
	text, what := strings.Trim(h.DType, "'\""), ""
	if len(text) > 64 {
		text = text[:64] + "…"
	}
	if strings.TrimLeft(text, "|<>=") == "O" {
		what = " of Python objects"
	}
	return t, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "npy: dtype %q%s", text, what)
}

// Size returns the size of all items in bytes. If it exceeds int64, or would
// with every dimension of 0 replaced by 1, the error is blosc2.ErrTooLarge, as
// in NumPy.
func (h *Header) Size() (int64, error) {
	t, err := h.Type()
	if err != nil {
		return 0, err
	}
	size, empty := int64(t.Size), false
	for _, n := range h.Shape {
		switch {
		case n < 0:
			return 0, corrupt("shape %v", h.Shape)
		case n == 0:
			empty = true
		case size > math.MaxInt64/n:
			return 0, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrTooLarge, "npy: shape %v with items of %d bytes", h.Shape, t.Size)
		default:
			size *= n
		}
	}
	if empty {
		return 0, nil
	}
	return size, nil
}

// slowest returns the dimension along which appended items extend a file, or -1 for
// a scalar.
func (h *Header) slowest() int {
	if len(h.Shape) > 0 && !h.Fortran {
		return 0
	}
	return len(h.Shape) - 1
}

// transposed reports whether the items are not in C order. With one dimension
// of more than one item both orders are the same.
func (h *Header) transposed() bool {
	long := 0
	for _, n := range h.Shape {
		if n == 0 {
			return false
		}
		if n > 1 {
			long++
		}
	}
	return h.Fortran && long > 1
}

func corrupt(format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "npy: "+format, args...)
}
