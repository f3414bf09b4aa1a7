package codecs

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs/blosclz"
)

func init() { builtin(blosc2.CodecBloscLZ, func() Codec { return new(blosclzCodec) }) }

type blosclzCodec struct{ enc blosclz.Encoder }

func (*blosclzCodec) ID() blosc2.CodecID { return blosc2.CodecBloscLZ }
func (c *blosclzCodec) Name() string     { return c.ID().String() }

// Encode implements Codec.
func (c *blosclzCodec) Encode(dst, src []byte, p Params) (int, error) {
	return c.enc.Encode(dst, src, p.Level), nil
}

// Decode implements Codec.
func (c *blosclzCodec) Decode(dst, src []byte, _ Params) (int, error) {
	n, err := blosclz.Decode(dst, src)
	return decoded(c.ID(), n, len(dst), err)
}
