package codecs

import (
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/zlib"

	"github.com/seed03b80dae/blosc2"
)

func init() { builtin(blosc2.CodecZlib, func() Codec { return new(zlibCodec) }) }

// zlibCodec is for streams of RFC 1950. Their checksum is made and tested.
// Bytes behind a stream are ignored, as zlib's uncompress does.
type zlibCodec struct {
	w     *zlib.Writer
	level int // of w, the library's
	out   fixedWriter
	r     io.ReadCloser
	in    bytes.Reader
	more  [1]byte
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
	c.in.Reset(src)
	defer c.in.Reset(nil)
	var err error
	if c.r == nil {
		c.r, err = zlib.NewReader(&c.in)
	} else {
		err = c.r.(zlib.Resetter).Reset(&c.in, nil)
	}
	if err != nil {
		return 0, corrupt(c.ID(), "%v", err)
	}
	n, err := io.ReadFull(c.r, dst)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return n, wrongLength(c.ID(), n, len(dst))
	}
	if err != nil {
		return n, corrupt(c.ID(), "%v", err)
	}
	// The checksum is tested at the end, which must be here.
	if _, err = io.ReadFull(c.r, c.more[:]); err == nil {
		return n, corrupt(c.ID(), "stream of more than %d bytes", len(dst))
	} else if err != io.EOF {
		return n, corrupt(c.ID(), "%v", err)
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
