package b2nd

import (
	"slices"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// flushed returns the descriptor and grid of a growing array whose Writer died
// after it had flushed more slabs than it came to say: every whole slab counts,
// and what there is of another one does not. Only a frame whose chunks are
// stored in order can be of a Writer, and only as long as the last slab that
// was counted is a whole one can more have followed it.
func flushed(f *frame.Reader, desc *meta.B2ND, g *grid) (*meta.B2ND, *grid, bool) {
	if f.Order() == frame.ByIndex {
		return desc, g, false
	}
	return grownTo(desc, g, f.NumChunks())
}

// grownTo does so for a frame of n chunks that are in order.
func grownTo(desc *meta.B2ND, g *grid, n int64) (*meta.B2ND, *grid, bool) {
	if len(g.shape) == 0 || n <= g.chunks() || g.chunk[0] == 0 || g.shape[0]%g.chunk[0] != 0 {
		return desc, g, false
	}
	slab := product(g.nchunks[1:])
	if slab == 0 {
		return desc, g, false
	}
	grown := *desc
	grown.Shape = slices.Clone(desc.Shape)
	grown.Shape[0] = n / slab * g.chunk[0]
	more, err := newGrid(grown.Shape, desc.ChunkShape, desc.BlockShape, g.item)
	if err != nil {
		return desc, g, false
	}
	return &grown, more, true
}

// Finish makes an array of what its Writer wrote before it died, once
// frame.Repair has made a frame of that: the shape of a growing array, and of one
// of known shape that is not complete, is set to the rows that are there, and
// chunks of a slab that is not whole are dropped. Readers of this package find
// the rows of a growing array without it; C-Blosc2 does not. The file holds size
// bytes. Frames that hold no array, or one that is as its shape says, stay as
// they are; rows is how many there are, and is -1 for them.
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
		return -1, nil // no Writer of this package left that
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
	final := *desc
	final.Shape = slices.Clone(desc.Shape)
	final.Shape[0] = rows
	if err := describeAs(e, &final); err != nil {
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
