package b2nd

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Spec describes an array to create. Array.Spec returns that of an existing
// array.
type Spec struct {
	// Shape is the number of items along each dimension, 0 to 16 of them.
	Shape []int64

	// DType is a NumPy type such as "<f4". If it is empty, items are ItemSize
	// opaque bytes. A type that this package does not know is written
	// unchanged, and requires ItemSize.
	DType    string
	ItemSize int // bytes of an item; 0 means the size of DType

	// ChunkShape and BlockShape are the shapes of chunks and blocks, in items. If
	// nil, they are chosen as python-blosc2 does, but with fixed cache sizes, so
	// that the choice does not depend on the machine. With stream.Auto, the last
	// block of a chunk is about as long as the others, and blocks may have one
	// column: all of the last dimensions that have 2 to 64 items together count as
	// columns, such as the 40 of the shape 1000, 5, 2, 4. Columns then are read faster
	// and single rows more slowly. The choice depends on the first rows; it needs
	// 32 KiB of them, and is made before anything is written, also by a Flush.
	ChunkShape, BlockShape []int64

	// ChunkBytes and BlockBytes are the sizes, in bytes, for which those shapes are
	// chosen: about the largest of a chunk and a block. 0 means 8 MiB and 256 KiB.
	ChunkBytes, BlockBytes int

	// Params sets the codec, level, filters, split mode and dictionary; nil
	// means the defaults of stream.NewWriter. Options override it.
	Params *chunk.Params
}

// growingRows replaces an unknown first dimension when the partition is chosen.
// It has many divisors.
const growingRows = 1 << 30

// plan makes the grid of the array and its descriptor. A growing array has 0
// rows in both.
func (s *Spec) plan() (*grid, *meta.B2ND, error) {
	shape := slices.Clone(s.Shape)
	expect := slices.Clone(s.Shape)
	for d, n := range shape {
		switch {
		case n == Unknown && d == 0:
			shape[0], expect[0] = 0, growingRows
		case n < 0:
			return nil, nil, &blosc2.OptionError{Option: fmt.Sprintf("shape in dimension %d", d), Value: n, Range: "0 or more (the first may be Unknown)"}
		case n == 0:
			expect[d] = 1 // C-Blosc2 reads empty dimensions with any partition
		}
	}
	item := int64(s.ItemSize)
	dtype := s.DType
	if dtype == "" {
		dtype = fmt.Sprintf("|V%d", item)
	} else {
		t, err := meta.ParseDType(dtype)
		switch {
		case err != nil && item == 0:
			return nil, nil, err
		case err != nil: // the type is unknown, and is written unchanged
		case item != 0 && item != int64(t.Size):
			return nil, nil, &blosc2.OptionError{Option: "item size", Value: item, Range: fmt.Sprintf("%d, the size of dtype %s", t.Size, dtype)}
		default:
			item, dtype = int64(t.Size), t.String()
		}
	}
	if item < 1 {
		return nil, nil, &blosc2.OptionError{Option: "item size", Value: item, Range: "1 or more, unless there is a dtype"}
	}
	for _, part := range []struct {
		name  string
		shape []int64
	}{{"chunkshape", s.ChunkShape}, {"blockshape", s.BlockShape}} {
		if part.shape == nil {
			continue
		}
		if len(part.shape) != len(shape) {
			return nil, nil, &blosc2.OptionError{Option: part.name, Value: part.shape, Range: fmt.Sprintf("of %d dimensions", len(shape))}
		}
		for _, n := range part.shape {
			if n < 1 || n > 1<<31-1 {
				return nil, nil, &blosc2.OptionError{Option: part.name, Value: part.shape, Range: "1 to 2147483647 in each dimension"}
			}
		}
	}
	for _, size := range []struct {
		name string
		n    int
	}{{"chunk size", s.ChunkBytes}, {"block size", s.BlockBytes}} {
		if size.n < 0 || size.n > chunk.MaxBytes {
			return nil, nil, &blosc2.OptionError{Option: size.name, Value: size.n, Range: fmt.Sprintf("0 to %d", chunk.MaxBytes)}
		}
	}
	chunkBytes, blockBytes := s.sizes()
	chunks, blocks := autoPartition(expect, item, s.ChunkShape, s.BlockShape, chunkBytes, blockBytes)
	desc := &meta.B2ND{Shape: shape, ChunkShape: narrow(chunks), BlockShape: narrow(blocks), DType: dtype}
	g, err := newGrid(shape, desc.ChunkShape, desc.BlockShape, item)
	if err != nil {
		return nil, nil, &blosc2.OptionError{Option: "shape", Value: s.Shape, Range: "within the limits of the format: " + err.Error()}
	}
	return g, desc, nil
}

// sizes returns the sizes for which the shapes of chunks and blocks are chosen.
func (s *Spec) sizes() (chunkBytes, blockBytes int64) {
	chunkBytes = cmp.Or(int64(s.ChunkBytes), usualChunk)
	return chunkBytes, cmp.Or(int64(s.BlockBytes), min(usualBlock, chunkBytes))
}

func narrow(s []int64) []int32 {
	n := make([]int32, len(s))
	for i, v := range s {
		n[i] = int32(min(v, 1<<31-1))
	}
	return n
}
