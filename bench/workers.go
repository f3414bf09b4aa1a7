package main

import (
	"bytes"
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// workersOurs prepares the compression of d with several workers, which work on
// different chunks, while C-Blosc2's threads share the blocks of one. Both read and
// write existing memory, without digests, which C-Blosc2 does not have. Our side also
// assembles the chunks into a frame, and reads them from it.
func workersOurs(d dataset, s setting, workers int) (compress, expand func() error, stored func() int, err error) {
	p := s.params(d.typesize)
	options := []stream.WriterOption{stream.Codec(p.Codec), stream.Level(p.Level), stream.Filters(p.Filters),
		stream.TypeSize(p.TypeSize), stream.ChunkSize(chunkSize - chunkSize%d.typesize), stream.Workers(workers), stream.Checks(false)}
	var frame []byte
	compress = func() (err error) {
		frame, err = stream.Compress(frame[:0], d.bytes, options...)
		return err
	}
	if err := compress(); err != nil {
		return nil, nil, nil, err
	}
	back := make([]byte, 0, len(d.bytes))
	expand = func() (err error) {
		back, err = stream.Decompress(back[:0], frame, stream.Workers(workers))
		return err
	}
	if err := expand(); err != nil {
		return nil, nil, nil, err
	}
	if !bytes.Equal(back, d.bytes) {
		return nil, nil, nil, fmt.Errorf("%s, %v, %d workers: the data do not round-trip", d.name, s, workers)
	}
	return compress, expand, func() int { return len(frame) }, nil
}

// codecIDs maps C-Blosc2's names of codecs to their numbers.
var codecIDs = map[string]blosc2.CodecID{
	"lz4": blosc2.CodecLZ4, "blosclz": blosc2.CodecBloscLZ, "lz4hc": blosc2.CodecLZ4HC, "zlib": blosc2.CodecZlib, "zstd": blosc2.CodecZstd,
}

// goNames maps codecs to the names of their constants in Go.
var goNames = map[blosc2.CodecID]string{
	blosc2.CodecBloscLZ: "blosc2.CodecBloscLZ", blosc2.CodecLZ4: "blosc2.CodecLZ4", blosc2.CodecLZ4HC: "blosc2.CodecLZ4HC",
	blosc2.CodecZlib: "blosc2.CodecZlib", blosc2.CodecZstd: "blosc2.CodecZstd",
}
