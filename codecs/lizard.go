package codecs

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs/lizard"
)

func init() { builtin(blosc2.CodecLizard, func() Codec { return new(lizardCodec) }) }

// lizardCodec is the codec of C-Blosc2 from July 2017 to February 2021; later
// versions cannot read it.
type lizardCodec struct {
	enc lizard.Encoder
	dec lizard.Decoder
}

func (*lizardCodec) ID() blosc2.CodecID { return blosc2.CodecLizard }
func (c *lizardCodec) Name() string     { return c.ID().String() }

// lizardLevels holds the Lizard level that C-Blosc2 used for each Blosc level.
var lizardLevels = [10]int{1: 10, 10, 10, 10, 20, 20, 20, 41, 41}

// Encode implements Codec.
func (c *lizardCodec) Encode(dst, src []byte, p Params) (int, error) {
	return c.enc.Encode(dst, src, lizardLevels[min(max(p.Level, 1), 9)]), nil
}

// Decode implements Codec.
func (c *lizardCodec) Decode(dst, src []byte, _ Params) (int, error) {
	n, err := c.dec.Decode(dst, src)
	if err == nil && n != len(dst) {
		err = wrongLength(c.ID(), n, len(dst))
	}
	return n, err
}
