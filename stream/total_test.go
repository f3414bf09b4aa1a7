package stream_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A limit on the total holds for any header and any number of consecutive frames; data
// within the limit are read.
func TestTotal(t *testing.T) {
	data := make([]byte, 300_000) // compressed to a few hundred bytes
	sealed := sealedFile(t, data, stream.ChunkSize(40_000))
	pipe := flushed(t, data, 1000, stream.ChunkSize(40_000))
	for _, c := range []struct {
		name  string
		b     []byte
		limit int64
		least int64 // bytes returned before the error; -1 means that there is no error
	}{
		{"sealed", sealed, 300_000, -1},
		{"sealed", sealed, 299_999, 0},
		{"unsealed", pipe, 300_000, -1},
		{"unsealed", pipe, 299_999, 240_000},
		{"two frames", append(bytes.Clone(sealed), sealed...), 600_000, -1},
		{"two frames", append(bytes.Clone(sealed), sealed...), 599_999, 500_000},
		{"two frames of a pipe", append(bytes.Clone(pipe), pipe...), 599_999, 500_000},
	} {
		for _, workers := range []int{1, 2} {
			for way, src := range []io.Reader{bytes.NewReader(c.b), io.MultiReader(bytes.NewReader(c.b))} {
				r, err := stream.NewReader(src, stream.Limits(frame.Limits{Total: c.limit}), stream.Workers(workers))
				if err != nil {
					t.Fatal(err)
				}
				n, err := io.Copy(io.Discard, r)
				switch {
				case c.least < 0 && (err != nil || n != c.limit):
					t.Errorf("%s, way %d: %d bytes, %v", c.name, way, n, err)
				case c.least >= 0 && (!errors.Is(err, blosc2.ErrTooLarge) || n > c.limit || n < c.least):
					t.Errorf("%s, way %d, limit %d: %d bytes, %v", c.name, way, c.limit, n, err)
				}
				r.Close()
			}
		}
	}
	if _, err := frame.Open(bytes.NewReader(sealed), int64(len(sealed)), frame.WithLimits(frame.Limits{Total: 1000})); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("frame.Open: %v", err)
	}
	if _, err := frame.Open(bytes.NewReader(pipe), int64(len(pipe)), frame.WithLimits(frame.Limits{Total: 1000})); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("frame.Open, unsealed: %v", err)
	}
}
