package b2nd

import (
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// itemSize returns the size of an item in bytes. The HDF5 filter of PyTables
// writes a typesize of 1 for items of more than 255 bytes; the size is then
// that of the dtype, if the size of the chunks agrees.
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
