package main

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/rows"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// meansNothing returns an error for a frame whose items are not data: a recipe, or
// a proxy cache that lacks chunks.
func meansNothing(f *frame.Reader) error {
	n := tree.FromFrame(f)
	switch n.Kind() {
	case tree.KindRecipe:
		return recipeError(n)
	case tree.KindProxy:
		p, err := n.Proxy()
		if err != nil {
			return err
		}
		for i, fetched := range p.Fetched {
			if !fetched {
				return unfetched(p, int64(i))
			}
		}
	}
	return nil
}

func recipeError(n *tree.Node) error {
	r, err := n.Recipe()
	if err != nil {
		return err
	}
	return fmt.Errorf("is a recipe for an array, %s, whose items were never computed: %w", rows.Recipe(r), blosc2.ErrUnsupported)
}

func unfetched(p tree.Proxy, chunk int64) error {
	return fmt.Errorf("is a cache %s; chunk %d is not among them: %w", proxyText(p), chunk, blosc2.ErrUnsupported)
}

// restrict lets a view be read where its items mean something: not at all for a
// recipe, and for a proxy cache within chunks that were fetched.
func (v *view) restrict() error {
	if v.frame == nil {
		return nil
	}
	n := tree.FromFrame(v.frame)
	switch n.Kind() {
	case tree.KindRecipe:
		return recipeError(n)
	case tree.KindProxy:
		p, err := n.Proxy()
		if err != nil {
			return err
		}
		chunks, err := v.chunkShape()
		if err != nil {
			return err
		}
		read := v.read
		v.read = func(dst []byte, w b2nd.Window) error {
			if c := firstUnfetched(p.Fetched, v.shape, chunks, w); c >= 0 {
				return unfetched(p, c)
			}
			return read(dst, w)
		}
	}
	return nil
}

// chunkShape returns the shape of the view's chunks in items.
func (v *view) chunkShape() ([]int64, error) {
	if v.kind != kindArray {
		return []int64{v.whole}, nil
	}
	a, err := b2nd.FromFrame(v.frame)
	if err != nil {
		return nil, err
	}
	return a.ChunkShape(), nil
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
			// the first item of the span at or after low
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

// openTensor adds the shape and type to a frame that is a tensor.
func (v *view) openTensor() (ok bool, err error) {
	if v.frame == nil {
		return false, nil
	}
	n := tree.FromFrame(v.frame)
	if n.Kind() != tree.KindTensor {
		return false, nil
	}
	t, err := n.Tensor()
	if err != nil {
		return false, err
	}
	d, err := meta.ParseDType(t.DType)
	if err != nil || t.Library != "numpy" {
		return false, nil // its items are read as those of the frame
	}
	size := int64(d.Size)
	for _, n := range t.Shape {
		size *= n
	}
	if size != v.frame.Size() {
		return false, blosc2.Errorf(blosc2.PartVLMeta, blosc2.ErrCorrupt, "a tensor of shape %v and type %s has %d bytes, the frame %d", t.Shape, t.DType, size, v.frame.Size())
	}
	p := &plainFile{shape: t.Shape, dtype: d, src: v.frame}
	v.shape, v.dtype, v.read = t.Shape, d, p.read
	if len(t.Shape) > 0 {
		row := int64(d.Size)
		for _, n := range t.Shape[1:] {
			row *= n
		}
		v.whole = max(1, int64(v.frame.Header().ChunkSize)/max(row, 1))
	}
	return true, nil
}

// describeMeaning describes what a frame means to python-blosc2, if that is not
// an array or bytes.
func describeMeaning(f *frame.Reader) (means string, t *tensorDescription, err error) {
	n := tree.FromFrame(f)
	switch n.Kind() {
	case tree.KindRecipe:
		r, err := n.Recipe()
		return "recipe: " + rows.Recipe(r), nil, err
	case tree.KindProxy:
		p, err := n.Proxy()
		return "proxy cache " + proxyText(p), nil, err
	case tree.KindTensor:
		t, err := n.Tensor()
		return "tensor of " + t.Library, &tensorDescription{t.Shape, t.DType}, err
	case tree.KindObjects, tree.KindBatches, tree.KindList:
		return n.Kind().String(), nil, nil
	}
	return "", nil, nil
}
