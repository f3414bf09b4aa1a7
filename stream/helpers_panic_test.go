package stream_test

import (
	"sync/atomic"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

const mineID = 222

// doubled returns n bytes that a mine can compress: every block of 1000 bytes is
// its first half twice.
func doubled(n int) []byte {
	var b []byte
	for _, half := 0, noise(500); len(b) < n; b = append(append(b, half...), half...) {
	}
	return b[:n]
}

var armed atomic.Bool

var mineOptions = []stream.WriterOption{stream.Codec(mineID), stream.BlockSize(1000), stream.TypeSize(1), stream.Split(blosc2.SplitNever)}
