package main

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/s2"
	kzlib "github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
)

// A format holds encoders and decoders, ours and others.
type format struct {
	name     string
	encoders []encoder
	ours     func(dst, src []byte) error
	others   []decoder
	mixed    bool // our tiers decode with different code, and may accept different damaged streams
}

type encoder struct {
	name    string
	foreign bool
	encode  func(dst, src []byte, level, variant int) ([]byte, error)
}

// A decoder fills dst with the data of src, or returns an error.
type decoder struct {
	name   string
	decode func(dst, src []byte) error
}

// formats holds all codecs that code streams of any length. ndlz and zfp code only
// blocks of arrays, and no library in Debian supports them.
var formats = []format{
	{"zstd", []encoder{own(blosc2.CodecZstd), {"libzstd", true, zstdEncode}}, decodeOwn(blosc2.CodecZstd),
		[]decoder{{"libzstd", zstdDecode}, {"klauspost", klauspostZstd()}}, true},
	{"lz4", []encoder{own(blosc2.CodecLZ4), own(blosc2.CodecLZ4HC), {"liblz4", true, lz4Encode}, {"liblz4hc", true, lz4hcEncode}}, decodeOwn(blosc2.CodecLZ4),
		[]decoder{{"liblz4", lz4Decode}, {"pierrec", pierrec}}, false},
	{"zlib", []encoder{own(blosc2.CodecZlib), {"zlib", true, zlibEncode}}, decodeOwn(blosc2.CodecZlib),
		[]decoder{{"zlib", zlibDecode}, {"compress/zlib", reader(zlib.NewReader)}, {"klauspost", reader(kzlib.NewReader)}}, false},
	{"snappy", []encoder{own(blosc2.CodecSnappy), {"s2", true, func(dst, src []byte, _, _ int) ([]byte, error) { return fitting(dst, s2.EncodeSnappy(nil, src)) }}}, decodeOwn(blosc2.CodecSnappy),
		[]decoder{{"golang", snappyDecode}}, false},
	{"blosclz", []encoder{own(blosc2.CodecBloscLZ)}, decodeOwn(blosc2.CodecBloscLZ), nil, false},
	{"lizard", []encoder{own(blosc2.CodecLizard)}, decodeOwn(blosc2.CodecLizard), nil, false},
}

func codec(id blosc2.CodecID) codecs.Codec {
	c, err := codecs.New(id)
	if err != nil {
		panic(err)
	}
	return c
}

// own returns one of our encoders. The variants of zstd and lz4hc are for planes
// and for values.
func own(id blosc2.CodecID) encoder {
	c := codec(id)
	return encoder{"ours/" + c.Name(), false, func(dst, src []byte, level, variant int) ([]byte, error) {
		p := codecs.Params{Level: level, TypeSize: 1}
		if variant == 1 {
			p.TypeSize = 4
		} else if variant == 2 {
			p.TypeSize, p.Values = 8, true
		}
		n, err := c.Encode(dst, src, p)
		return dst[:n], err
	}}
}

func decodeOwn(id blosc2.CodecID) func(dst, src []byte) error {
	c := codec(id)
	return func(dst, src []byte) error {
		_, err := c.Decode(dst, src, codecs.Params{TypeSize: 1})
		return err
	}
}

func klauspostZstd() func(dst, src []byte) error {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err)
	}
	return func(dst, src []byte) error {
		out, err := d.DecodeAll(src, make([]byte, 0, len(dst)+64))
		return filled(dst, out, err)
	}
}

func pierrec(dst, src []byte) error {
	n, err := lz4.UncompressBlock(src, dst)
	return filled(dst, dst[:max(n, 0)], err)
}

func snappyDecode(dst, src []byte) error {
	if n, err := snappy.DecodedLen(src); err != nil || n != len(dst) {
		return fmt.Errorf("%d bytes, %v", n, err)
	}
	out, err := snappy.Decode(nil, src)
	return filled(dst, out, err)
}

func reader[R io.Reader](open func(io.Reader) (R, error)) func(dst, src []byte) error {
	return func(dst, src []byte) error {
		r, err := open(bytes.NewReader(src))
		if err != nil {
			return err
		}
		out, err := io.ReadAll(io.LimitReader(r, int64(len(dst))+1))
		return filled(dst, out, err)
	}
}

func filled(dst, out []byte, err error) error {
	if err != nil {
		return err
	}
	copy(dst, out)
	return full(len(out), len(dst))
}

func fitting(dst, out []byte) ([]byte, error) {
	if len(out) > len(dst) {
		return nil, nil
	}
	return dst[:copy(dst, out)], nil
}
