package codecs

import (
	"github.com/pierrec/lz4/v4"

	"github.com/seed03b80dae/blosc2"
	lz4block "github.com/seed03b80dae/blosc2/codecs/internal/lz4"
)

func init() {
	builtin(blosc2.CodecLZ4, func() Codec { return new(lz4Codec) })
	builtin(blosc2.CodecLZ4HC, func() Codec { return new(lz4hcCodec) })
}

// lz4Codec gives the bytes of LZ4_compress_fast of LZ4 1.9 and 1.10, which
// C-Blosc2 3 calls with an acceleration of 10 less the level.
type lz4Codec struct{ enc lz4block.Encoder }

func (*lz4Codec) ID() blosc2.CodecID { return blosc2.CodecLZ4 }
func (c *lz4Codec) Name() string     { return c.ID().String() }

func (c *lz4Codec) Encode(dst, src []byte, p Params) (int, error) {
	return c.enc.Encode(dst, src, 10-p.Level), nil
}

func (c *lz4Codec) Decode(dst, src []byte, p Params) (int, error) {
	return decodeLZ4(c.ID(), dst, src, p)
}

type lz4hcCodec struct {
	enc lz4.CompressorHC
	buf []byte
}

func (*lz4hcCodec) ID() blosc2.CodecID { return blosc2.CodecLZ4HC }
func (c *lz4hcCodec) Name() string     { return c.ID().String() }

func (c *lz4hcCodec) Encode(dst, src []byte, p Params) (int, error) {
	c.enc.Level = lz4.CompressionLevel(1 << min(max(p.Level, 1), 9))
	// Without room for the worst case the library fails by a panic that it
	// recovers from, which allocates.
	if need := lz4.CompressBlockBound(len(src)); cap(c.buf) < need {
		c.buf = make([]byte, need)
	}
	n, err := c.enc.CompressBlock(src, c.buf[:cap(c.buf)])
	if err != nil || n > len(dst) {
		return 0, nil
	}
	return copy(dst, c.buf[:n]), nil
}

func (c *lz4hcCodec) Decode(dst, src []byte, p Params) (int, error) {
	return decodeLZ4(c.ID(), dst, src, p)
}

func decodeLZ4(id blosc2.CodecID, dst, src []byte, p Params) (int, error) {
	n, err := lz4block.Decode(dst, src, p.Dict)
	if err != nil {
		return 0, corrupt(id, "%v", err)
	}
	if n != len(dst) {
		return n, wrongLength(id, n, len(dst))
	}
	return n, nil
}
