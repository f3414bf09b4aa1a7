package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// workersOurs prepares the compression of d with several workers, which work on
// different chunks, while C-Blosc2's threads share the blocks of one. Both
// compress bytes to a frame in memory, without digests, which C does not have,
// and decompress to existing memory.
func workersOurs(d dataset, s setting, workers int) (compress, expand func() error, stored func() int, err error) {
	p := s.params(d.typesize)
	w, err := stream.NewWriter(io.Discard, stream.Codec(p.Codec), stream.Level(p.Level), stream.Filters(p.Filters),
		stream.TypeSize(p.TypeSize), stream.ChunkSize(chunkSize-chunkSize%d.typesize), stream.Workers(workers), stream.Checks(false))
	if err != nil {
		return nil, nil, nil, err
	}
	var frame bytes.Buffer
	compress = func() error {
		frame.Reset()
		if err := w.Reset(&frame); err != nil {
			return err
		}
		if _, err := w.Write(d.bytes); err != nil {
			return err
		}
		return w.Close()
	}
	if err := compress(); err != nil {
		return nil, nil, nil, err
	}
	r, err := stream.NewReader(bytes.NewReader(frame.Bytes()), stream.Workers(workers))
	if err != nil {
		return nil, nil, nil, err
	}
	back := &fixed{buf: make([]byte, len(d.bytes))}
	expand = func() error {
		back.n = 0
		if err := r.Reset(bytes.NewReader(frame.Bytes())); err != nil {
			return err
		}
		_, err := r.WriteTo(back)
		return err
	}
	if err := expand(); err != nil {
		return nil, nil, nil, err
	}
	if !bytes.Equal(back.buf, d.bytes) {
		return nil, nil, nil, fmt.Errorf("%s, %v, %d workers: the data do not round-trip", d.name, s, workers)
	}
	return compress, expand, frame.Len, nil
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
