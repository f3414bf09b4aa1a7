package b2nd

import (
	"slices"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// flushed gives the descriptor and grid of a growing array whose Writer died
// after it had flushed more slabs than it came to say: every whole slab counts,
// and what there is of another one does not. Only a frame whose chunks stand in
// order can be of a Writer, and only as long as the last slab that was counted
// is a whole one can more have followed it.
func flushed(f *frame.Reader, desc *meta.B2ND, g *grid) (*meta.B2ND, *grid, bool) {
	if f.Order() == frame.ByIndex || len(g.shape) == 0 || f.NumChunks() <= g.chunks() || g.chunk[0] == 0 || g.shape[0]%g.chunk[0] != 0 {
		return desc, g, false
	}
	slab := product(g.nchunks[1:])
	if slab == 0 {
		return desc, g, false
	}
	grown := *desc
	grown.Shape = slices.Clone(desc.Shape)
	grown.Shape[0] = f.NumChunks() / slab * g.chunk[0]
	more, err := newGrid(grown.Shape, desc.ChunkShape, desc.BlockShape, g.item)
	if err != nil {
		return desc, g, false
	}
	return &grown, more, true
}
