package b2nd

import (
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// itemSize is the number of bytes of an item. Frames that the HDF5 filter of
// PyTables makes of items of more than 255 bytes say that they have one; then
// the dtype says how many, if the size of the chunks agrees.
func itemSize(f *frame.Reader, desc *meta.B2ND) int64 {
	h := f.Header()
	if h.TypeSize != 1 || desc.DType == "" {
		return int64(h.TypeSize)
	}
	t, err := meta.ParseDType(desc.DType)
	if err != nil || t.Size <= chunk.MaxTypeSize {
		return 1
	}
	g, err := newGrid(desc.Shape, desc.ChunkShape, desc.BlockShape, int64(t.Size))
	if err != nil || g.chunkBytes != int64(h.ChunkSize) {
		return 1
	}
	return int64(t.Size)
}
