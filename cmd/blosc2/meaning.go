package main

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/meaning"
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
		return meaning.OfRecipe(f)
	case tree.KindProxy:
		p, err := n.Proxy()
		if err != nil {
			return err
		}
		for i, fetched := range p.Fetched {
			if !fetched {
				return meaning.Unfetched(p, int64(i))
			}
		}
	}
	return nil
}

// restrict makes reads of v fail for items that are not data: all items of a recipe,
// and those of chunks that a proxy cache lacks.
func (v *view) restrict() error {
	if v.frame == nil {
		return nil
	}
	if err := meaning.OfRecipe(v.frame); err != nil {
		return err
	}
	chunks, err := v.chunkShape()
	if err == nil {
		v.read, err = meaning.Restrict(v.frame, v.shape, chunks, v.read)
	}
	return err
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

// openTensor sets the shape and the type of the view if the frame is a tensor.
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
		return false, nil // NumPy has no such type; the items are read like those of any frame
	}
	size := item.Count(t.Shape) * int64(d.Size)
	if size != v.frame.Size() {
		return false, blosc2.Errorf(blosc2.PartVLMeta, blosc2.ErrCorrupt, "a tensor of shape %v and type %s has %d bytes, the frame %d", t.Shape, t.DType, size, v.frame.Size())
	}
	p := &plainFile{shape: t.Shape, dtype: d, src: v.frame}
	v.shape, v.dtype, v.read = t.Shape, d, p.read
	if len(t.Shape) > 0 {
		row := item.Count(t.Shape[1:]) * int64(d.Size)
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
		return "recipe: " + meaning.RecipeText(r), nil, err
	case tree.KindProxy:
		p, err := n.Proxy()
		return "proxy cache " + meaning.ProxyText(p), nil, err
	case tree.KindTensor:
		t, err := n.Tensor()
		return "tensor of " + t.Library, &tensorDescription{t.Shape, t.DType}, err
	case tree.KindObjects, tree.KindBatches, tree.KindList:
		return n.Kind().String(), nil, nil
	}
	return "", nil, nil
}
