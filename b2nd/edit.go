package b2nd

import (
	"bytes"
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
)

// An Editor changes an array in its file. As with frame.Editor, which it uses,
// no committed data are overwritten until Commit, and a crash before or during
// a Commit leaves the array either as before or as after it. It belongs to one
// goroutine.
type Editor struct {
	e     *frame.Editor
	close func() error
	grid  *grid
	desc  *meta.B2ND
	dtype meta.DType
	text  string // dtype as NumPy writes it

	moved  bool   // the shape has changed
	buf    []byte // decoded bytes of a chunk
	clean  []byte // the chunk with the items outside the array set to zero
	stored []byte // a typed change in stored form
	cells  []cell
	inside [MaxDim]int64 // strides of the items in a block
	mover  mover
}

// Edit opens the array in a file of size bytes for changing. Arrays of caterva
// result in blosc2.ErrUnsupported.
func Edit(file frame.File, size int64, opts ...frame.Option) (*Editor, error) {
	e, err := frame.Edit(file, size, opts...)
	if err != nil {
		return nil, err
	}
	return edit(e, e.Close)
}

// EditFile opens the array in a file for changing, and holds the file's lock
// until Close.
func EditFile(path string, opts ...frame.Option) (_ *Editor, err error) {
	defer fsio.AddPath("open", path, &err)
	e, err := frame.EditFile(path, opts...)
	if err != nil {
		return nil, err
	}
	return edit(e.Editor, e.Close)
}

func edit(e *frame.Editor, closeIt func() error) (*Editor, error) {
	a, err := open(e.Reader(), newConfig(nil))
	if _, ok := e.Reader().Metalayer(meta.B2NDName); err == nil && !ok {
		err = blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "changing an array with only the metalayer %s", meta.CatervaName)
	}
	if err != nil {
		closeIt()
		return nil, err
	}
	ed := &Editor{e: e, close: closeIt, grid: a.grid, desc: a.desc, dtype: a.dtype, text: a.text, inside: a.grid.inside()}
	if a.grown { // Commit writes the shape
		if err := ed.Resize(a.grid.shape); err != nil {
			closeIt()
			return nil, err
		}
	}
	return ed, nil
}

// Shape returns the shape including all changes.
func (e *Editor) Shape() []int64 { return append([]int64(nil), e.grid.shape...) }

// SetSlice sets the items from start up to stop (exclusive) along each
// dimension to those of src, which are in C order.
func (e *Editor) SetSlice(src []byte, start, stop []int64) error {
	w, err := spans(start, stop)
	if err != nil {
		return err
	}
	return e.SetWindow(src, w)
}

// SetWindow sets the items of w to those of src, which are in C order.
func (e *Editor) SetWindow(src []byte, w Window) error {
	g := e.grid
	w, err := w.in(g.shape)
	if err != nil {
		return err
	}
	if want := mul(product(w.lens()), g.item); int64(len(src)) != want {
		return &blosc2.OptionError{Option: "length of src", Value: len(src), Range: fmt.Sprintf("%d, that of the window's items", want)}
	}
	out := strides(w.lens(), g.item)
	at := g.chunksOf(w)
	for ok := at.start(); ok; ok = at.next() {
		if e.cells = g.cells(e.cells[:0], w, &at.at); len(e.cells) == 0 {
			continue
		}
		n := at.index(g.nchunks)
		if g.covers(e.cells, &at) {
			e.buf = append(e.buf[:0], make([]byte, g.chunkBytes)...)
		} else if err := e.load(n); err != nil {
			return err
		}
		for i := range e.cells {
			c := &e.cells[i]
			inside, in, to := g.cellStrides(w, c, out)
			e.mover.copy(c.count[:len(w)], inside[:len(w)], out, g.item, e.buf, int64(c.block)*g.blockBytes+in, src, to)
		}
		if err := e.e.Update(n, e.buf); err != nil {
			return err
		}
	}
	return nil
}

// covers reports whether the cells cover every item of the array in the chunk at the
// counter's coordinate.
func (g *grid) covers(cells []cell, at *counter) bool {
	have, all := int64(0), int64(1)
	for d := range at.n {
		all *= min((at.at[d]+1)*g.chunk[d], g.shape[d]) - at.at[d]*g.chunk[d]
	}
	for i := range cells {
		have += product(cells[i].count[:at.n])
	}
	return have == all
}

// load decodes chunk n into e.buf.
func (e *Editor) load(n int64) (err error) {
	if e.buf, err = e.e.Chunk(e.buf[:0], n); err != nil {
		return err
	}
	if int64(len(e.buf)) != e.grid.chunkBytes {
		return blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "decodes to %d bytes; a chunk of the array must have %d", len(e.buf), e.grid.chunkBytes), n, -1)
	}
	return nil
}

// Resize changes the shape of the array to another of as many dimensions. Items
// within both shapes are kept. New ones are zeros, even if C-Blosc2 or an
// earlier Resize left other values in the padding.
func (e *Editor) Resize(shape []int64) error {
	old := e.grid
	if len(shape) != len(old.shape) {
		return &blosc2.OptionError{Option: "shape", Value: shape, Range: fmt.Sprintf("of %d dimensions", len(old.shape))}
	}
	g, err := newGrid(shape, e.desc.ChunkShape, e.desc.BlockShape, old.item)
	if err == nil && g.chunks() > frame.MaxChunks {
		err = fmt.Errorf("at most %d chunks", frame.MaxChunks)
	}
	if err != nil {
		return &blosc2.OptionError{Option: "shape", Value: shape, Range: "valid with the array's chunkshape and blockshape: " + err.Error()}
	}
	if err := e.wipe(shape); err != nil {
		return err
	}
	from := make([]int64, 0, g.chunks())
	at := counter{n: len(shape)}
	copy(at.hi[:], g.nchunks)
	if g.chunks() > 0 {
		for ok := at.start(); ok; ok = at.next() {
			n := int64(-1)
			if old.has(&at) {
				n = at.index(old.nchunks)
			}
			from = append(from, n)
		}
	}
	if err := e.e.Rearrange(from); err != nil {
		return err
	}
	e.grid, e.moved = g, true
	return nil
}

// has reports whether there is a chunk at the counter's coordinate.
func (g *grid) has(c *counter) bool {
	for d := range c.n {
		if c.at[d] >= g.nchunks[d] {
			return false
		}
	}
	return g.items() > 0
}

// wipe clears, in all remaining chunks, the items outside the array's current
// or new shape.
func (e *Editor) wipe(shape []int64) error {
	g := e.grid
	keep := make([]int64, len(shape))
	edge := false
	for d := range shape {
		keep[d] = min(shape[d], g.shape[d])
		edge = edge || shape[d] != g.shape[d] && g.chunk[d] > 0 && keep[d]%g.chunk[d] != 0
	}
	if !edge || product(keep) == 0 {
		return nil
	}
	w := All(keep)
	at := g.chunksOf(w)
	for ok := at.start(); ok; ok = at.next() {
		if !g.cutBy(&at, keep, shape) {
			continue
		}
		n := at.index(g.nchunks)
		if err := e.load(n); err != nil {
			return err
		}
		e.clean = append(e.clean[:0], e.buf...)
		clear(e.clean)
		e.cells = g.cells(e.cells[:0], w, &at.at)
		for i := range e.cells {
			c := &e.cells[i]
			inside, lo := e.inside[:len(w)], int64(c.block)*g.blockBytes
			e.mover.copy(c.count[:len(w)], inside, inside, g.item, e.clean, lo, e.buf, lo)
		}
		if bytes.Equal(e.clean, e.buf) {
			continue
		}
		if err := e.e.Update(n, e.clean); err != nil {
			return err
		}
	}
	return nil
}

// cutBy reports whether the chunk at the counter's coordinate holds items beyond
// keep in a dimension whose length changes.
func (g *grid) cutBy(c *counter, keep, shape []int64) bool {
	for d := range c.n {
		if shape[d] != g.shape[d] && (c.at[d]+1)*g.chunk[d] > keep[d] {
			return true
		}
	}
	return false
}

// Append extends the array along an axis by the items of src, in C order, which
// must be whole slices across that axis.
func (e *Editor) Append(axis int, src []byte) error {
	g := e.grid
	if axis < 0 || axis >= len(g.shape) {
		return &blosc2.OptionError{Option: "axis", Value: axis, Range: fmt.Sprintf("0 to %d", len(g.shape)-1)}
	}
	row := g.item
	for d, n := range g.shape {
		if d != axis {
			row = mul(row, n)
		}
	}
	if row == 0 || int64(len(src))%row != 0 {
		return &blosc2.OptionError{Option: "length of src", Value: len(src), Range: fmt.Sprintf("a multiple of %d, a row across the axis", row)}
	}
	shape := e.Shape()
	w := All(shape)
	w[axis] = Span{Start: shape[axis], Stop: shape[axis] + int64(len(src))/row, Step: 1}
	shape[axis] = w[axis].Stop
	if err := e.Resize(shape); err != nil {
		return err
	}
	return e.SetWindow(src, w)
}

// Commit durably writes all changes so far to the file: see
// frame.Editor.Commit.
func (e *Editor) Commit() error {
	if e.moved {
		if err := e.setShape(); err != nil {
			return err
		}
	}
	if err := e.e.Commit(); err != nil {
		return err
	}
	e.moved = false
	return nil
}

// setShape puts the shape into the metalayer.
func (e *Editor) setShape() error {
	desc := *e.desc
	desc.Shape = e.grid.shape
	return describeAs(e.e, &desc)
}

// describeAs puts a descriptor into the metalayer, and removes the one that a
// growing array left in a vlmetalayer.
func describeAs(e *frame.Editor, desc *meta.B2ND) error {
	value, err := desc.Append(nil)
	if err != nil {
		return err
	}
	if err := e.SetMetalayer(meta.B2NDName, value); err != nil {
		return err
	}
	_, stale, err := e.Reader().VLMeta(meta.B2NDName)
	if err == nil && stale {
		err = e.SetVLMeta(meta.B2NDName, nil)
	}
	return err
}

// Close drops uncommitted changes and, after EditFile, closes the file.
func (e *Editor) Close() error { return e.close() }
