package codecs

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs/zfp"
)

func init() {
	for id, mode := range map[blosc2.CodecID]zfp.Mode{
		blosc2.CodecZFPAcc:  zfp.Accuracy,
		blosc2.CodecZFPPrec: zfp.Precision,
		blosc2.CodecZFPRate: zfp.Rate,
	} {
		builtin(id, func() Codec { return &zfpCodec{id: id, mode: mode} })
	}
}

// zfpCodec is for whole blocks of arrays of float32 or float64, of one to four
// dimensions. It is lossy; the meta byte sets the tolerance, in units that depend
// on the mode.
type zfpCodec struct {
	id    blosc2.CodecID
	mode  zfp.Mode
	coder zfp.Coder
}

func (c *zfpCodec) ID() blosc2.CodecID { return c.id }
func (c *zfpCodec) Name() string       { return c.id.String() }

func (c *zfpCodec) params(p Params) zfp.Params {
	return zfp.Params{Mode: c.mode, Meta: p.Meta, TypeSize: p.TypeSize, Shape: p.BlockShape}
}

// Encode implements Codec.
func (c *zfpCodec) Encode(dst, src []byte, p Params) (int, error) {
	if !p.WholeBlock {
		return 0, nil // store a part of a block, as C-Blosc2 does
	}
	return c.coder.Encode(dst, src, c.params(p))
}

// Decode implements Codec.
func (c *zfpCodec) Decode(dst, src []byte, p Params) (int, error) {
	if err := c.coder.Decode(dst, src, c.params(p)); err != nil {
		return 0, err
	}
	return len(dst), nil
}
