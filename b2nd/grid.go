package b2nd

import (
	"math"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

const (
	// MaxDim is the number of dimensions that an array can have (C-Blosc2 2.x
	// reads at most 8).
	MaxDim = 16
	// Unknown as the first dimension of a Spec's shape says that the array grows
	// until its Writer is closed.
	Unknown = -1
)

// maxBlockBytes is C-Blosc2's limit for a block.
const maxBlockBytes = 536866816

// A grid is the partition of an array. The array is divided into chunks, and
// each chunk, rounded up to whole blocks, into blocks. Chunks, the blocks of a
// chunk and the items of a block are each in C order (last dimension fastest).
// Chunks at the edges are padded to their full size.
type grid struct {
	item    int64   // bytes of an item
	shape   []int64 // items of the array
	chunk   []int64 // items of a chunk
	block   []int64 // items of a block
	ext     []int64 // items of a chunk rounded up to whole blocks
	nchunks []int64 // chunks of the array
	nblocks []int64 // blocks of a chunk

	blockBytes int64 // product of block, times item
	chunkBytes int64 // product of ext, times item: the bytes of a chunk
}

// newGrid checks that the shapes are valid and computes the other fields.
func newGrid(shape []int64, chunkshape, blockshape []int32, item int64) (*grid, error) {
	n := len(shape)
	switch {
	case n > MaxDim:
		return nil, shapeErrorf("%d dimensions; the limit is %d", n, MaxDim)
	case len(chunkshape) != n || len(blockshape) != n:
		return nil, shapeErrorf("shape, chunkshape and blockshape have %d, %d and %d dimensions", n, len(chunkshape), len(blockshape))
	case item < 1:
		return nil, shapeErrorf("item size %d must be positive", item)
	}
	all := make([]int64, 6*n)
	take := func() (s []int64) { s, all = all[:n:n], all[n:]; return s }
	g := &grid{item: item, shape: take(), chunk: take(), block: take(), ext: take(), nchunks: take(), nblocks: take()}
	g.blockBytes, g.chunkBytes = item, item
	copy(g.shape, shape)
	total := int64(1)
	for d := range n {
		s, c, b := shape[d], int64(chunkshape[d]), int64(blockshape[d])
		if s < 0 || c < 0 || b < 0 || s > 0 && (c == 0 || b == 0) {
			return nil, shapeErrorf("dimension %d: invalid shape %d, chunkshape %d or blockshape %d", d, s, c, b)
		}
		g.chunk[d], g.block[d] = c, b
		if b > 0 {
			g.nblocks[d] = ceilDiv(c, b)
			g.ext[d] = g.nblocks[d] * b
		}
		if c > 0 {
			g.nchunks[d] = ceilDiv(s, c)
		}
		g.blockBytes = mul(g.blockBytes, b)
		g.chunkBytes = mul(g.chunkBytes, g.ext[d])
		total = mul(total, g.nchunks[d])
	}
	if g.blockBytes > maxBlockBytes {
		return nil, shapeErrorf("blocks of %d bytes; the limit is %d", g.blockBytes, int64(maxBlockBytes))
	}
	if g.chunkBytes > chunk.MaxBytes {
		return nil, shapeErrorf("chunks of %d bytes; the limit is %d", g.chunkBytes, int64(chunk.MaxBytes))
	}
	if mul(total, max(g.chunkBytes, 1)) == math.MaxInt64 || mul(product(shape), item) == math.MaxInt64 {
		return nil, shapeErrorf("%v items of %d bytes are more than 2^63 bytes", shape, item)
	}
	return g, nil
}

func shapeErrorf(format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrCorrupt, "b2nd: "+format, args...)
}

// items returns the number of items of the array.
func (g *grid) items() int64 { return product(g.shape) }

// chunks returns the number of chunks of the array.
func (g *grid) chunks() int64 { return product(g.nchunks) }

// ceilDiv returns a/b rounded up; a ≥ 0, b > 0. It does not overflow.
func ceilDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}

// mul multiplies numbers that are not negative; on overflow it returns
// math.MaxInt64.
func mul(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// product returns the product of s; 1 if it is empty.
func product(s []int64) int64 {
	p := int64(1)
	for _, v := range s {
		if v == 0 {
			return 0
		}
		p = mul(p, v)
	}
	return p
}
