package b2nd

import (
	"slices"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// flushed returns the descriptor and grid of a growing array whose Writer died
// after flushing more slabs than its shape has: every complete slab counts.
// Only a frame with its chunks in order can be from a Writer, and more slabs
// can follow only if the last counted one is complete.
func flushed(f *frame.Reader, desc *meta.B2ND, g *grid) (*meta.B2ND, *grid, bool) {
	if f.Order() == frame.ByIndex {
		return desc, g, false
	}
	return grownTo(desc, g, f.NumChunks())
}

// grownTo does the work of flushed for a frame of n chunks in order. It reports whether
// the array has grown.
func grownTo(desc *meta.B2ND, g *grid, n int64) (*meta.B2ND, *grid, bool) {
	if len(g.shape) == 0 || n <= g.chunks() || g.chunk[0] == 0 || g.shape[0]%g.chunk[0] != 0 {
		return desc, g, false
	}
	slab := product(g.nchunks[1:])
	if slab == 0 {
		return desc, g, false
	}
	grown, more, err := withRows(desc, n/slab*g.chunk[0], g.item)
	if err != nil {
		return desc, g, false
	}
	return grown, more, true
}

// Finish completes an array whose Writer died, after frame.Repair has repaired
// the frame: it sets the shape of a growing array, and of an incomplete one of
// known shape, to the rows in the file, and drops the chunks of an incomplete
// slab. Readers of this package find the rows of a growing array without it;
// C-Blosc2 does not. The file has size bytes. rows is the number of rows, or -1
// if the frame was not changed because it holds no array, or a complete one.
func Finish(file frame.File, size int64, opts ...frame.Option) (rows int64, err error) {
	e, err := frame.Edit(file, size, opts...)
	if err != nil {
		return -1, err
	}
	defer e.Close()
	f := e.Reader()
	if _, ok := f.Metalayer(meta.B2NDName); !ok || f.Order() == frame.ByIndex {
		return -1, nil
	}
	desc, _, err := describe(f)
	if err != nil {
		return -1, err
	}
	g, err := newGrid(desc.Shape, desc.ChunkShape, desc.BlockShape, int64(f.Header().TypeSize))
	if err != nil {
		return -1, err
	}
	if len(g.shape) == 0 || f.NumChunks() == g.chunks() || f.NumChunks() > 0 && f.Size() != f.NumChunks()*g.chunkBytes {
		return -1, nil
	}
	slab := product(g.nchunks[1:])
	if slab == 0 || f.NumChunks() > g.chunks() && g.shape[0]%g.chunk[0] != 0 {
		return -1, nil // the array was not written by this package
	}
	slabs := f.NumChunks() / slab
	rows = slabs * g.chunk[0]
	if f.NumChunks() < g.chunks() {
		rows = min(rows, g.shape[0])
	}
	keep := make([]int64, slabs*slab)
	for i := range keep {
		keep[i] = int64(i)
	}
	if err := e.Rearrange(keep); err != nil {
		return -1, err
	}
	final, _, err := withRows(desc, rows, g.item)
	if err == nil {
		err = describeAs(e, final)
	}
	if err != nil {
		return -1, err
	}
	return rows, e.Commit()
}

// withRows returns the descriptor with another first dimension, and its grid.
func withRows(desc *meta.B2ND, rows, item int64) (*meta.B2ND, *grid, error) {
	d := *desc
	d.Shape = slices.Clone(desc.Shape)
	d.Shape[0] = rows
	g, err := newGrid(d.Shape, d.ChunkShape, d.BlockShape, item)
	return &d, g, err
}
