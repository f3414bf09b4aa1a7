// Package plain decodes with code that shares nothing with the codecs and
// kernels of this module: other libraries, and simple loops. It is slow, and
// meant for checks.
package plain

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
)

// A Codec decodes the streams of one codec. It is for one goroutine at a time.
type Codec struct {
	codecs.Codec // codec of the registry, for its name and number
	decode       func(dst, src, dict []byte) ([]byte, error)
}

// Wrap returns a codec that decodes with another library. It returns c itself if
// there is none, as for blosclz, lizard and the codecs of arrays.
func Wrap(c codecs.Codec) codecs.Codec {
	switch c.ID() {
	case blosc2.CodecLZ4, blosc2.CodecLZ4HC:
		return Codec{c, decodeLZ4}
	case blosc2.CodecZlib:
		return Codec{c, decodeZlib}
	case blosc2.CodecZstd:
		return Codec{c, new(zstdDecoder).decode}
	case blosc2.CodecSnappy:
		return Codec{c, func(dst, src, _ []byte) ([]byte, error) { return s2.Decode(dst, src) }}
	}
	return c
}

// Decode implements codecs.Codec.
func (c Codec) Decode(dst, src []byte, p codecs.Params) (int, error) {
	out, err := c.decode(dst, src, p.Dict)
	if err == nil && len(out) != len(dst) {
		err = fmt.Errorf("decoded to %d bytes, must be %d", len(out), len(dst))
	}
	if err != nil {
		return 0, blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "%s: %v", c.ID(), err).WithCause(err)
	}
	return copy(dst, out), nil
}

func decodeZlib(dst, src, _ []byte) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(make([]byte, 0, len(dst)+bytes.MinRead))
	_, err = io.Copy(out, io.LimitReader(r, int64(len(dst))+1))
	return out.Bytes(), err
}

// A zstdDecoder keeps a reader for streams without dictionary.
type zstdDecoder struct{ r *zstd.Decoder }

func (d *zstdDecoder) decode(dst, src, dict []byte) (out []byte, err error) {
	if len(dict) > 0 {
		r, err := newZstd(dict)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return r.DecodeAll(src, make([]byte, 0, len(dst)))
	}
	if d.r == nil {
		if d.r, err = newZstd(nil); err != nil {
			return nil, err
		}
	}
	return d.r.DecodeAll(src, dst[:0:len(dst)])
}

func newZstd(dict []byte) (*zstd.Decoder, error) {
	opts := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true)}
	const magic = "\x37\xa4\x30\xec" // magic of a trained dictionary
	switch {
	case len(dict) == 0:
	case bytes.HasPrefix(dict, []byte(magic)):
		opts = append(opts, zstd.WithDecoderDicts(dict))
	default:
		opts = append(opts, zstd.WithDecoderDictRaw(0, dict))
	}
	return zstd.NewReader(nil, opts...)
}
