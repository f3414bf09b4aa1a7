package codecs

import (
	"github.com/golang/snappy"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/room"
)

func init() { builtin(blosc2.CodecSnappy, func() Codec { return new(snappyCodec) }) }

// snappyCodec is for raw snappy blocks, which begin with their decoded length. It
// has no levels. C-Blosc2 read it until April 2021.
type snappyCodec struct{ buf []byte }

func (*snappyCodec) ID() blosc2.CodecID { return blosc2.CodecSnappy }
func (c *snappyCodec) Name() string     { return c.ID().String() }

// Encode implements Codec.
func (c *snappyCodec) Encode(dst, src []byte, _ Params) (int, error) {
	bound := snappy.MaxEncodedLen(len(src))
	if bound < 0 {
		return 0, nil
	}
	if bound <= len(dst) {
		return len(snappy.Encode(dst, src)), nil
	}
	// The library requires a destination with room for the worst case.
	c.buf = room.Resize(c.buf, bound)
	return store(dst, snappy.Encode(c.buf, src)), nil
}

// Decode implements Codec.
func (c *snappyCodec) Decode(dst, src []byte, _ Params) (int, error) {
	n, err := snappy.DecodedLen(src)
	if err == nil && n == len(dst) {
		_, err = snappy.Decode(dst, src)
	}
	return decoded(c.ID(), n, len(dst), err)
}
