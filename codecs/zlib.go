package codecs

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs/internal/adler32"
	"github.com/seed03b80dae/blosc2/codecs/internal/deflate"
	"github.com/seed03b80dae/blosc2/codecs/internal/inflate"
)

func init() { builtin(blosc2.CodecZlib, func() Codec { return new(zlibCodec) }) }

// zlibCodec is for streams of RFC 1950: CMF, FLG, a deflate stream and ADLER32
// (2.2). The checksum is written and verified. Bytes after a stream are ignored, as
// zlib's uncompress does.
type zlibCodec struct {
	enc deflate.Encoder
	dec inflate.Decoder
}

const (
	zlibHeader   = 2
	zlibChecksum = 4
)

// zlibHeaders holds the headers of zlib's streams by level: a window of 32 KiB, and
// the effort of the search.
var zlibHeaders = [10]uint16{1: 0x7801, 0x785e, 0x785e, 0x785e, 0x785e, 0x789c, 0x78da, 0x78da, 0x78da}

func (*zlibCodec) ID() blosc2.CodecID { return blosc2.CodecZlib }
func (c *zlibCodec) Name() string     { return c.ID().String() }

// Encode implements Codec.
func (c *zlibCodec) Encode(dst, src []byte, p Params) (int, error) {
	if len(dst) < zlibHeader+zlibChecksum {
		return 0, nil
	}
	level := min(max(p.Level, 1), 9)
	end := len(dst) - zlibChecksum
	planes, item := p.TypeSize, 0
	if p.Values && p.TypeSize > 1 {
		planes, item = 0, p.TypeSize // the items are whole: no filter has moved their bytes
	}
	effort := deflate.Level(level, planes)
	effort.Item = item
	n := c.enc.Encode(dst[zlibHeader:end], src, planes, effort)
	if n == 0 {
		return 0, nil
	}
	binary.BigEndian.PutUint16(dst, zlibHeaders[level])
	binary.BigEndian.PutUint32(dst[zlibHeader+n:], adler32.Checksum(src))
	return zlibHeader + n + zlibChecksum, nil
}

// Decode implements Codec.
func (c *zlibCodec) Decode(dst, src []byte, _ Params) (int, error) {
	if len(src) < zlibHeader+zlibChecksum {
		return 0, corrupt(c.ID(), "truncated stream: has %d bytes, must have at least %d", len(src), zlibHeader+zlibChecksum)
	}
	// CM, CINFO, FCHECK and FDICT (RFC 1950, 2.2).
	const deflate, maxWindow, dictionary = 8, 7, 1 << 5
	if h := binary.BigEndian.Uint16(src); src[0]&15 != deflate || src[0]>>4 > maxWindow || h%31 != 0 || h&dictionary != 0 {
		return 0, corrupt(c.ID(), "header %04x", h)
	}
	n, read, err := c.dec.Decode(dst, src[zlibHeader:])
	if n, err = decoded(c.ID(), n, len(dst), err); err != nil {
		return n, err
	}
	rest := src[zlibHeader+read:]
	if len(rest) < zlibChecksum {
		return n, corrupt(c.ID(), "truncated checksum")
	}
	if got, want := adler32.Checksum(dst), binary.BigEndian.Uint32(rest); got != want {
		return n, corrupt(c.ID(), "checksum %08x, must be %08x", got, want)
	}
	return n, nil
}
