// Package blosc implements, with package filter, the functions of
// github.com/mrjoshuak/go-blosc that the Zarr libraries TuSKan/go-zarr and
// mentatxx/go-zarr call. With it these libraries read chunks of every codec of
// Blosc, including blosclz. A program uses a copy of this folder by a line in its
// go.mod:
//
//	replace github.com/mrjoshuak/go-blosc => ./goblosc
package blosc

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filter"
)

// A Codec is the codec of a chunk.
type Codec uint8

// These are the codecs of Blosc 1.
const (
	BloscLZ Codec = iota
	LZ4
	LZ4HC
	Snappy
	ZLIB
	ZSTD
)

var codecs = []blosc2.CodecID{
	BloscLZ: blosc2.CodecBloscLZ,
	LZ4:     blosc2.CodecLZ4,
	LZ4HC:   blosc2.CodecLZ4HC,
	Snappy:  blosc2.CodecSnappy,
	ZLIB:    blosc2.CodecZlib,
	ZSTD:    blosc2.CodecZstd,
}

// A Shuffle is the filter of a chunk.
type Shuffle uint8

// These are the filters of Blosc 1.
const (
	NoShuffle Shuffle = iota
	Shuffle1
	BitShuffle
)

// Compress returns data, whose items have typeSize bytes, as a chunk.
func Compress(data []byte, codec Codec, level int, shuffle Shuffle, typeSize int) ([]byte, error) {
	if int(codec) >= len(codecs) {
		return nil, &blosc2.OptionError{Option: "codec", Value: codec, Range: "BloscLZ to ZSTD"}
	}
	return filter.EncodeZarr(nil, data, filter.Zarr{Codec: codecs[codec], Level: level, Shuffle: blosc2.FilterID(shuffle), TypeSize: typeSize})
}

// Decompress returns the bytes that a chunk holds, at most 256 MiB.
func Decompress(data []byte) ([]byte, error) { return filter.DecodeZarr(nil, data, 0) }
