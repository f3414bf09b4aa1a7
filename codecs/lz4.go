package codecs

import (
	"github.com/seed03b80dae/blosc2"
	lz4block "github.com/seed03b80dae/blosc2/codecs/internal/lz4"
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

func init() {
	builtin(blosc2.CodecLZ4, func() Codec { return new(lz4Codec) })
	builtin(blosc2.CodecLZ4HC, func() Codec { return new(lz4hcCodec) })
}

// lz4Codec writes the bytes of LZ4_compress_fast of LZ4 1.9 and 1.10, which
// C-Blosc2 3 calls with an acceleration of 10 minus the level.
type lz4Codec struct{ enc lz4block.Encoder }

func (*lz4Codec) ID() blosc2.CodecID { return blosc2.CodecLZ4 }
func (c *lz4Codec) Name() string     { return c.ID().String() }

// Encode implements Codec.
func (c *lz4Codec) Encode(dst, src []byte, p Params) (int, error) {
	return c.enc.Encode(dst, src, 10-p.Level), nil
}

// Decode implements Codec.
func (c *lz4Codec) Decode(dst, src []byte, p Params) (int, error) {
	return decodeLZ4(c.ID(), dst, src, p)
}

// lz4hcCodec searches as deeply as LZ4's HC levels of the same number, so the streams are
// about as long, but not identical. If whole values repeat, it searches only for whole
// values, which is faster and usually makes shorter streams.
type lz4hcCodec struct {
	enc    lz4block.HCEncoder
	values lz4block.ValuesEncoder
}

// These hold the number of candidates that each level compares at a position, so that sizes
// are close to those of LZ4 HC at the same level (docs/codecs.md, 4.3). Levels with 0 have
// the flat search of lz77, as LZ4 1.10 has LZ4MID there.
var (
	lz4hcBytes = [10]int{3: 4, 4: 7, 5: 16, 6: 32, 7: 64, 8: 96, 9: 192}   // planes, and items of one byte
	lz4hcPairs = [10]int{3: 6, 4: 12, 5: 20, 6: 40, 7: 80, 8: 160, 9: 320} // items of two bytes, and their planes
	lz4hcWhole = [10]int{3: 4, 4: 8, 5: 16, 6: 32, 7: 64, 8: 128, 9: 256}  // larger items as a whole
)

// lz4hcValueDepths holds the number of pairs of whole values that each level
// compares; 0 means a single lookup for each value, which is several times as fast.
var lz4hcValueDepths = [10]int{4: 4, 5: 8, 6: 16, 7: 16, 8: 32, 9: 64}

func (*lz4hcCodec) ID() blosc2.CodecID { return blosc2.CodecLZ4HC }
func (c *lz4hcCodec) Name() string     { return c.ID().String() }

// Encode implements Codec.
func (c *lz4hcCodec) Encode(dst, src []byte, p Params) (int, error) {
	level := min(max(p.Level, 1), 9)
	if p.Values && p.TypeSize%lz77.ValueSize == 0 {
		n, ok := 0, false
		if depth := lz4hcValueDepths[level]; depth > 0 {
			n, ok = c.values.EncodeDeep(dst, src, depth)
		} else {
			n, ok = c.values.Encode(dst, src)
		}
		if ok {
			return n, nil
		}
	}
	depths := &lz4hcBytes
	switch {
	case p.TypeSize == 2:
		depths = &lz4hcPairs
	case p.TypeSize > 2 && p.Values:
		depths = &lz4hcWhole
	}
	return c.enc.Encode(dst, src, lz77.Effort{Depth: depths[level]}), nil
}

// Decode implements Codec.
func (c *lz4hcCodec) Decode(dst, src []byte, p Params) (int, error) {
	return decodeLZ4(c.ID(), dst, src, p)
}

func decodeLZ4(id blosc2.CodecID, dst, src []byte, p Params) (int, error) {
	n, err := lz4block.Decode(dst, src, p.Dict)
	return decoded(id, n, len(dst), err)
}
