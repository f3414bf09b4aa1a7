package codecs

import (
	"encoding/binary"
	"errors"
	"hash/adler32"

	"github.com/klauspost/compress/zlib"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs/internal/inflate"
)

func init() { builtin(blosc2.CodecZlib, func() Codec { return new(zlibCodec) }) }

// zlibCodec is for streams of RFC 1950. Their checksum is made and tested.
// Bytes behind a stream are ignored, as zlib's uncompress does.
type zlibCodec struct {
	w     *zlib.Writer
	level int // of w, the library's
	out   fixedWriter
	dec   inflate.Decoder
}

// zlibLevel is the library's level with about the sizes of zlib's. Its lower
// ones look for longer matches only, of which shuffled planes have few; its
// level 9 is no better than 8.
func zlibLevel(level int) int {
	if level <= 3 {
		return 7
	}
	return 8
}

func (*zlibCodec) ID() blosc2.CodecID { return blosc2.CodecZlib }
func (c *zlibCodec) Name() string     { return c.ID().String() }

func (c *zlibCodec) Encode(dst, src []byte, p Params) (int, error) {
	c.out = fixedWriter{buf: dst}
	defer func() { c.out.buf = nil }()
	if level := zlibLevel(p.Level); c.w == nil || c.level != level {
		w, err := zlib.NewWriterLevel(&c.out, level)
		if err != nil {
			return 0, err
		}
		c.w, c.level = w, level
	} else {
		c.w.Reset(&c.out)
	}
	if _, err := c.w.Write(src); err != nil {
		return 0, nil // it does not fit
	}
	if err := c.w.Close(); err != nil {
		return 0, nil
	}
	return c.out.n, nil
}

func (c *zlibCodec) Decode(dst, src []byte, _ Params) (int, error) {
	const header, checksum = 2, 4
	if len(src) < header+checksum {
		return 0, corrupt(c.ID(), "stream of %d bytes", len(src))
	}
	const deflate, maxWindow, dictionary = 8, 7, 1 << 5
	if h := binary.BigEndian.Uint16(src); src[0]&15 != deflate || src[0]>>4 > maxWindow || h%31 != 0 || h&dictionary != 0 {
		return 0, corrupt(c.ID(), "header %04x", h)
	}
	n, read, err := c.dec.Decode(dst, src[header:])
	if err != nil {
		return 0, corrupt(c.ID(), "%v", err)
	}
	if n != len(dst) {
		return n, wrongLength(c.ID(), n, len(dst))
	}
	rest := src[header+read:]
	if len(rest) < checksum {
		return n, corrupt(c.ID(), "checksum is cut off")
	}
	if got, want := adler32.Checksum(dst), binary.BigEndian.Uint32(rest); got != want {
		return n, corrupt(c.ID(), "checksum %08x, expected %08x", got, want)
	}
	return n, nil
}

// A fixedWriter writes into a slice and fails when that is full.
type fixedWriter struct {
	buf []byte
	n   int
}

var errFull = errors.New("codecs: no room")

func (w *fixedWriter) Write(p []byte) (int, error) {
	n := copy(w.buf[w.n:], p)
	w.n += n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}
