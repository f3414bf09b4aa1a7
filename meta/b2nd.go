package meta

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/wire"
)

// B2NDName is the name of the metalayer that holds a [B2ND]. A program for which the
// first dimension is not known in advance writes the final descriptor to a vlmetalayer
// of the same name.
const B2NDName = "b2nd"

// MaxDims is the largest number of dimensions of an array.
const MaxDims = wire.MaxDims

// A B2ND describes the array in a frame. The three shapes have the same length,
// the number of dimensions. A chunk holds ChunkShape items and a block
// BlockShape items; a chunk has whole blocks, the last of them padded.
type B2ND struct {
	// Parts is the number of parts of the descriptor: 5 without a dtype (until
	// February 2023, and in caterva), 6 with one, 7 with its format before it.
	// ParseB2ND counts the parts, because for a day in 2023 descriptors of 7 parts
	// stated 6. For 0, Append writes 7.
	Parts   int
	Version uint8 // 0

	Shape      []int64 // items along each dimension
	ChunkShape []int32
	BlockShape []int32

	DTypeFormat uint8  // 0: DType is a NumPy dtype
	DType       string // type of the items: see [B2ND.ItemType]

	stated byte   // number of parts that the descriptor itself states
	unused []byte // bytes after the descriptor, left from a longer one
}

// leadParts plus the number of parts is the first byte of a descriptor.
const leadParts = 0x90

// ParseB2ND reads the descriptor of an array. It checks the form only;
// [B2ND.Validate] checks the values.
func ParseB2ND(b []byte) (*B2ND, error) {
	parts, end, err := countParts(b)
	if err != nil {
		return nil, err
	}
	a := &B2ND{Parts: parts, stated: b[0]}
	b = slices.Clone(b)
	b[0] = leadParts + 7
	switch {
	case parts == 6:
		b = slices.Insert(b, end, noDType[0])
	case len(b) == end:
		b = append(b, noDType...)
	}
	var w array7
	if a.unused, err = w.UnmarshalMsg(b); err != nil {
		return nil, wire.Corrupt(blosc2.PartMeta, 0, len(b), err)
	}
	a.Version = uint8(w.Version)
	a.Shape, a.ChunkShape, a.BlockShape = w.Shape, w.ChunkShape, w.BlockShape
	a.DTypeFormat, a.DType = uint8(w.DTypeFormat), string(w.DType)
	if a.Version != 0 {
		e := blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "unknown version %d of the array's metalayer", a.Version)
		e.Offset = 1
		return nil, e
	}
	if n := int(w.NDim); len(a.Shape) != n || len(a.ChunkShape) != n || len(a.BlockShape) != n {
		return nil, corrupt(blosc2.PartMeta, 2, "%d dimensions, but shape, chunkshape and blockshape have %d, %d and %d", n, len(a.Shape), len(a.ChunkShape), len(a.BlockShape))
	}
	return a, nil
}

// noDType is the end of a descriptor of 7 parts with an empty dtype: its format, and the
// dtype.
var noDType = []byte{0, leadStr32, 5: 0}

const leadStr32 = 0xdb

// countParts counts the parts of a descriptor by what follows the blockshape, which ends
// at end.
func countParts(b []byte) (parts, end int, err error) {
	if len(b) < 3 {
		return 0, 0, corrupt(blosc2.PartMeta, len(b), "truncated: has %d bytes, must have at least 3", len(b))
	}
	if b[0] < leadParts+5 || b[0] > leadParts+7 {
		return 0, 0, corrupt(blosc2.PartMeta, 0, "not an array: begins with byte %#02x", b[0])
	}
	switch end = shapesEnd(int(b[2])); {
	case len(b) <= end:
		return 5, end, nil
	case b[end] == leadStr32:
		return 6, end, nil
	}
	return 7, end, nil
}

// shapesEnd returns the length of a descriptor up to and including the blockshape.
func shapesEnd(ndim int) int {
	const head, perDim = 6, 9 + 5 + 5
	return head + perDim*ndim
}

// Append appends the descriptor. Shapes that are not of the same length, or
// have more than sixteen dimensions, return a [blosc2.OptionError].
func (a *B2ND) Append(dst []byte) ([]byte, error) {
	n := len(a.Shape)
	if n > MaxDims || len(a.ChunkShape) != n || len(a.BlockShape) != n {
		return dst, &blosc2.OptionError{
			Option: "dimensions of shape, chunkshape and blockshape",
			Value:  []int{n, len(a.ChunkShape), len(a.BlockShape)}, Range: "the same number, 0 to 16",
		}
	}
	w := array7{
		Version: wire.Uint8(a.Version), NDim: wire.Uint8(n), Shape: a.Shape, ChunkShape: a.ChunkShape, BlockShape: a.BlockShape,
		DTypeFormat: wire.Uint8(a.DTypeFormat), DType: wire.Str32(a.DType),
	}
	out, err := w.MarshalMsg(dst)
	if err != nil {
		return dst, err
	}
	start := len(dst)
	end := start + shapesEnd(n)
	switch a.Parts {
	case 0, 7:
	case 5:
		out = out[:end]
		out[start] = leadParts + 5
	case 6:
		out = slices.Delete(out, end, end+1)
		out[start] = leadParts + 6
	default:
		return dst, &blosc2.OptionError{Option: "parts of b2nd", Value: a.Parts, Range: "5, 6 or 7"}
	}
	if a.stated != 0 {
		out[start] = a.stated
	}
	return append(out, a.unused...), nil
}
