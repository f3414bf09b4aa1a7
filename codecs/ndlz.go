package codecs

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs/ndlz"
)

func init() { builtin(blosc2.CodecNDLZ, func() Codec { return new(ndlzCodec) }) }

// ndlzCodec is for blocks of 2-dimensional arrays with items of one byte: those of
// typesize 1, or the streams of split blocks. The meta byte is the side of a cell,
// 4 or 8.
type ndlzCodec struct{ enc ndlz.Encoder }

func (*ndlzCodec) ID() blosc2.CodecID { return blosc2.CodecNDLZ }
func (c *ndlzCodec) Name() string     { return c.ID().String() }

// Encode implements Codec.
func (c *ndlzCodec) Encode(dst, src []byte, p Params) (int, error) {
	if len(p.BlockShape) != 2 {
		return 0, &blosc2.OptionError{Option: "block shape for ndlz", Value: p.BlockShape, Range: "two-dimensional"}
	}
	rows, cols := int(p.BlockShape[0]), int(p.BlockShape[1])
	if !p.WholeBlock && int64(rows)*int64(cols) != int64(len(src)) {
		return 0, nil // store a part of a block, as C-Blosc2 does
	}
	return c.enc.Encode(dst, src, int(p.Meta), rows, cols)
}

// Decode implements Codec.
func (c *ndlzCodec) Decode(dst, src []byte, p Params) (int, error) {
	if err := ndlz.Decode(dst, src, int(p.Meta)); err != nil {
		return 0, err
	}
	return len(dst), nil
}
