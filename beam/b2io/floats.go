package b2io

import (
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2/internal/items"
	"github.com/seed03b80dae/blosc2/meta"
)

// Floats appends the items to dst as float64. Integers above 2⁵³ are rounded. It
// returns an error for items that are not integers, float32 or float64.
func (w *Window) Floats(dst []float64) ([]float64, error) {
	t, err := meta.ParseDType(w.DType)
	if err != nil || t.Size != w.ItemSize || !items.Numbers[float64](nil, nil, t) {
		return dst, fmt.Errorf("b2io: items of dtype %q in %s are not numbers", w.DType, w.Source)
	}
	at, n := len(dst), len(w.Items)/w.ItemSize
	dst = slices.Grow(dst, n)[:at+n]
	items.Numbers(dst[at:], w.Items, t)
	return dst, nil
}
