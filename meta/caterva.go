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

// The dimensions of a shape in CatervaLittleEndian are unsigned: each has another lead byte
// than in the later forms.
const (
	firstDim   = 3 // offset of the first one
	leadInt64  = 0xd3
	leadUint64 = 0xcf
)

// setLeads changes the lead bytes of the shape in a descriptor without a version.
func setLeads(b []byte, from, to byte) {
	for at := firstDim; at < len(b) && b[at] == from; at += 9 {
		b[at] = to
	}
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
	c := &Caterva{Form: CatervaChunks}
	if len(b) > firstDim && b[firstDim] == leadUint64 {
		c.Form = CatervaLittleEndian
		b = slices.Clone(b)
		if err := wire.Flip(b, true); err != nil {
			return nil, wire.Corrupt(blosc2.PartMeta, 0, len(b), err)
		}
		setLeads(b, leadUint64, leadInt64)
	}
	var w array3
	rest, err := w.UnmarshalMsg(b)
	if err != nil {
		return nil, wire.Corrupt(blosc2.PartMeta, 0, len(b), err)
	}
	if len(rest) > 0 {
		return nil, corrupt(blosc2.PartMeta, len(b)-len(rest), "%d bytes after the array", len(rest))
	}
	c.Shape, c.ChunkShape = w.Shape, w.ChunkShape
	if n := int(w.NDim); len(c.Shape) != n || len(c.ChunkShape) != n {
		return nil, corrupt(blosc2.PartMeta, 1, "%d dimensions, but shape and chunkshape have %d and %d", n, len(c.Shape), len(c.ChunkShape))
	}
	return c, nil
}

// Append appends the descriptor.
func (c *Caterva) Append(dst []byte) ([]byte, error) {
	if c.Form == CatervaBlocks {
		return (&B2ND{Parts: 5, Version: c.Version, Shape: c.Shape, ChunkShape: c.ChunkShape, BlockShape: c.BlockShape}).Append(dst)
	}
	w := array3{NDim: wire.Uint8(len(c.Shape)), Shape: c.Shape, ChunkShape: c.ChunkShape}
	out, err := w.MarshalMsg(dst)
	if err == nil && c.Form == CatervaLittleEndian {
		setLeads(out[len(dst):], leadInt64, leadUint64)
		err = wire.Flip(out[len(dst):], false)
	}
	return out, err
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
