// Package meaning returns errors for items that are not data: the items of recipes, which
// were never computed, and the items of chunks that a proxy cache lacks.
package meaning

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/tree"
)

// A Read reads a window of an array, as b2nd.Array.ReadWindow does.
type Read = func(dst []byte, w b2nd.Window) error

// OfRecipe returns an error if f is a recipe.
func OfRecipe(f *frame.Reader) error {
	n := tree.FromFrame(f)
	if n.Kind() != tree.KindRecipe {
		return nil
	}
	r, err := n.Recipe()
	if err != nil {
		return err
	}
	return fmt.Errorf("is a recipe for an array, %s, whose items were never computed: %w", RecipeText(r), blosc2.ErrUnsupported)
}

// Unfetched returns the error for a chunk that a proxy cache lacks.
func Unfetched(p tree.Proxy, chunk int64) error {
	return fmt.Errorf("is a cache %s; chunk %d is not among them: %w", ProxyText(p), chunk, blosc2.ErrUnsupported)
}

// Restrict returns read for an array of the given shape and chunk shape in f: it
// fails for a recipe, and for a window with chunks that a proxy cache lacks.
func Restrict(f *frame.Reader, shape, chunks []int64, read Read) (Read, error) {
	n := tree.FromFrame(f)
	switch n.Kind() {
	case tree.KindRecipe:
		err := OfRecipe(f)
		return func([]byte, b2nd.Window) error { return err }, nil
	case tree.KindProxy:
		p, err := n.Proxy()
		if err != nil {
			return nil, err
		}
		return func(dst []byte, w b2nd.Window) error {
			if c := firstUnfetched(p.Fetched, shape, chunks, w); c >= 0 {
				return Unfetched(p, c)
			}
			return read(dst, w)
		}, nil
	}
	return read, nil
}

// firstUnfetched returns the number of the first chunk in a window that is not
// fetched, or -1.
func firstUnfetched(fetched []bool, shape, chunks []int64, w b2nd.Window) int64 {
	for n, ok := range fetched {
		if ok {
			continue
		}
		inside := true
		for d, rest := len(shape)-1, int64(n); d >= 0; d-- {
			if chunks[d] == 0 || w[d].Len() == 0 {
				inside = false
				break
			}
			grid := (shape[d] + chunks[d] - 1) / chunks[d]
			low := rest % grid * chunks[d]
			rest /= grid
			// Find the first item of the span at or after low.
			step := max(w[d].Step, 1)
			at := w[d].Start
			if at < low {
				at += (low - at + step - 1) / step * step
			}
			inside = inside && at < min(w[d].Stop, low+chunks[d])
		}
		if inside {
			return int64(n)
		}
	}
	return -1
}

// RecipeText describes a recipe on one line.
func RecipeText(r tree.Recipe) string {
	text := r.Kind
	for _, name := range []string{"expression", "name", "urlbase", "path"} {
		if v, ok := r.Fields.Get(name); ok && v != nil {
			text += fmt.Sprintf(" %v", v)
		}
	}
	return text
}

// ProxyText describes the source of a proxy cache, and how much of it was fetched.
func ProxyText(p tree.Proxy) string {
	n := 0
	for _, fetched := range p.Fetched {
		if fetched {
			n++
		}
	}
	unit := "chunks"
	if len(p.Fetched) == 1 {
		unit = "chunk"
	}
	return fmt.Sprintf("of %s: %d of %d %s fetched", p, n, len(p.Fetched), unit)
}
