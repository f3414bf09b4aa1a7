package meta

import (
	"math"

	"github.com/seed03b80dae/blosc2"
)

// These are the largest sizes of a chunk and of a block, in bytes.
const (
	maxChunkBytes = math.MaxInt32 - 32
	maxBlockBytes = 536866816
)

// Validate returns an error if the descriptor is invalid for items of typesize
// bytes. No dimension may be negative, a dimension of chunks or blocks may be 0
// only if the array's is, and all sizes must be within the limits of the
// format. The blockshape may exceed the chunkshape, and the chunkshape the
// shape.
func (a *B2ND) Validate(typesize int) error {
	n := len(a.Shape)
	if n > MaxDims || len(a.ChunkShape) != n || len(a.BlockShape) != n {
		return corrupt(blosc2.PartMeta, 2, "shape, chunkshape and blockshape have %d, %d and %d dimensions; must be equal and at most 16", n, len(a.ChunkShape), len(a.BlockShape))
	}
	if typesize < 1 {
		return corrupt(blosc2.PartMeta, -1, "item size %d must be positive", typesize)
	}
	chunk, block, chunks, items := int64(typesize), int64(typesize), int64(1), int64(typesize)
	for i, s := range a.Shape {
		c, b := int64(a.ChunkShape[i]), int64(a.BlockShape[i])
		if s < 0 || c < 0 || b < 0 || s > 0 && (c == 0 || b == 0) {
			return corrupt(blosc2.PartMeta, -1, "dimension %d: invalid shape %d, chunkshape %d or blockshape %d", i, s, c, b)
		}
		chunk = product(chunk, roundUp(c, b))
		block = product(block, b)
		chunks = product(chunks, divUp(s, c))
		items = product(items, s)
	}
	switch {
	case chunk > maxChunkBytes:
		return corrupt(blosc2.PartMeta, -1, "chunks of shape %v are larger than %d bytes", a.ChunkShape, maxChunkBytes)
	case block > maxBlockBytes:
		return corrupt(blosc2.PartMeta, -1, "blocks of shape %v are larger than %d bytes", a.BlockShape, maxBlockBytes)
	case items == math.MaxInt64 || product(chunks, chunk) == math.MaxInt64:
		return corrupt(blosc2.PartMeta, -1, "array of shape %v is larger than 2^63 bytes", a.Shape)
	}
	return nil
}

// ChunkBytes returns the size of every chunk: the chunkshape rounded up to whole
// blocks, times the typesize. The array must be valid.
func (a *B2ND) ChunkBytes(typesize int) int {
	n := int64(typesize)
	for i, c := range a.ChunkShape {
		n = product(n, roundUp(int64(c), int64(a.BlockShape[i])))
	}
	return int(n)
}

// BlockBytes returns the size of every block. The array must be valid.
func (a *B2ND) BlockBytes(typesize int) int {
	n := int64(typesize)
	for _, b := range a.BlockShape {
		n = product(n, int64(b))
	}
	return int(n)
}

// roundUp rounds n up to a multiple of m, where m is not 0. Both are less than
// 2^31.
func roundUp(n, m int64) int64 {
	if m == 0 {
		return n
	}
	return (n + m - 1) / m * m
}

// divUp divides n by m and rounds up; 0/0 is 0.
func divUp(n, m int64) int64 {
	if n == 0 {
		return 0
	}
	return (n-1)/m + 1
}

// product multiplies two numbers that are not negative, and returns MaxInt64 on
// overflow.
func product(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}
