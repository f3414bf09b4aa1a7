package meta

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/wire"
)

// CatervaName is the name of the metalayer that holds a [Caterva].
const CatervaName = "caterva"

// A CatervaForm is a version of the descriptor.
type CatervaForm uint8

// These are the forms of the descriptor, the latest first.
const (
	// CatervaBlocks has a version, and a blockshape (since 0.2.0, September 2019).
	// The blockshape is valid since 0.4.0 (July 2020); before, it was zeros, and
	// earlier uninitialized memory.
	CatervaBlocks CatervaForm = iota

	// CatervaChunks has neither a version nor a blockshape (0.1.1).
	CatervaChunks

	// CatervaLittleEndian is CatervaChunks with numbers in the machine's byte
	// order and an unsigned shape (2018 to 0.1.0).
	CatervaLittleEndian
)

// A Caterva describes the array in a frame, without a dtype, as written by caterva,
// the library before b2nd. Documents of the time call the chunkshape partshape.
type Caterva struct {
	Form       CatervaForm
	Version    uint8 // 0
	Shape      []int64
	ChunkShape []int32
	BlockShape []int32 // as stored, which may be invalid; only in CatervaBlocks
}

// ParseCaterva reads the descriptor of an array.
func ParseCaterva(b []byte) (*Caterva, error) {
	if len(b) > 0 && b[0] != leadParts+3 {
		a, err := ParseB2ND(b)
		if err != nil {
			return nil, err
		}
		return &Caterva{CatervaBlocks, a.Version, a.Shape, a.ChunkShape, a.BlockShape}, nil
	}
	const firstDim, leadUint64 = 3, 0xcf // the lead byte of the first dimension
	c := &Caterva{Form: CatervaChunks}
	var ndim wire.Uint8
	var rest []byte
	var err error
	if len(b) > firstDim && b[firstDim] == leadUint64 {
		c.Form = CatervaLittleEndian
		b = slices.Clone(b)
		if err := wire.Flip(b, true); err != nil {
			return nil, wire.Corrupt(blosc2.PartMeta, 0, len(b), err)
		}
		var w array3LE
		rest, err = w.UnmarshalMsg(b)
		ndim, c.ChunkShape = w.NDim, w.ChunkShape
		for _, d := range w.Shape {
			c.Shape = append(c.Shape, int64(d))
		}
	} else {
		var w array3
		rest, err = w.UnmarshalMsg(b)
		ndim, c.Shape, c.ChunkShape = w.NDim, w.Shape, w.ChunkShape
	}
	if err != nil {
		return nil, wire.Corrupt(blosc2.PartMeta, 0, len(b), err)
	}
	if len(rest) > 0 {
		return nil, corrupt(blosc2.PartMeta, len(b)-len(rest), "%d bytes after the array", len(rest))
	}
	if n := int(ndim); len(c.Shape) != n || len(c.ChunkShape) != n {
		return nil, corrupt(blosc2.PartMeta, 1, "%d dimensions, but shape and chunkshape have %d and %d", n, len(c.Shape), len(c.ChunkShape))
	}
	return c, nil
}

// Append appends the descriptor.
func (c *Caterva) Append(dst []byte) ([]byte, error) {
	ndim := wire.Uint8(len(c.Shape))
	switch c.Form {
	case CatervaChunks:
		w := array3{NDim: ndim, Shape: c.Shape, ChunkShape: c.ChunkShape}
		return w.MarshalMsg(dst)
	case CatervaLittleEndian:
		w := array3LE{NDim: ndim, ChunkShape: c.ChunkShape}
		for _, d := range c.Shape {
			w.Shape = append(w.Shape, uint64(d))
		}
		out, err := w.MarshalMsg(dst)
		if err == nil {
			err = wire.Flip(out[len(dst):], false)
		}
		return out, err
	}
	return (&B2ND{Parts: 5, Version: c.Version, Shape: c.Shape, ChunkShape: c.ChunkShape, BlockShape: c.BlockShape}).Append(dst)
}

// B2ND returns the array as b2nd describes it, without a dtype. typesize is the
// frame's, blocksize that of its chunks' headers. If the stored blockshape is
// invalid, the items of a chunk are in C order and plain is true. The blockshape of
// the result is then its chunkshape, which describes the same order, although the
// blocks of the chunks are smaller.
//
// A blockshape is invalid if one of its dimensions is less than 1 or exceeds the
// chunkshape, or if its block does not have blocksize bytes. Garbage that satisfies
// all of that cannot be distinguished from a blockshape, and is treated as one.
func (c *Caterva) B2ND(typesize, blocksize int) (a *B2ND, plain bool) {
	a = &B2ND{Parts: 5, Version: c.Version, Shape: c.Shape, ChunkShape: c.ChunkShape, BlockShape: c.BlockShape}
	plain = c.Form != CatervaBlocks
	for i := 0; i < len(c.BlockShape) && !plain; i++ {
		plain = c.BlockShape[i] < 1 || c.BlockShape[i] > c.ChunkShape[i]
	}
	if plain || a.BlockBytes(typesize) != blocksize {
		a.BlockShape = c.ChunkShape
		return a, true
	}
	return a, false
}
