package stream_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// FuzzReader reads any bytes in both orders, with one worker and with two. The result
// must not depend on the number of workers, and if both orders reach the end they must
// have read the same bytes.
func FuzzReader(f *testing.F) {
	data := noise(3000)
	f.Add(compress(f, data, stream.ChunkSize(900)))
	f.Add(compress(f, nil))
	f.Add(flushed(f, data, 700, stream.Codec(blosc2.CodecZstd)))
	f.Add(append(sealedFile(f, data, stream.ChunkSize(1000)), compress(f, data)...))
	if b2test.HasCorpus(f) {
		for i, e := range b2test.Corpus(f) {
			if info, err := os.Stat(e.File()); err == nil && info.Size() < 4096 && !info.IsDir() && i%5 == 0 {
				f.Add(e.Bytes(f))
			}
		}
	}
	limits := stream.Limits(frame.Limits{Chunk: 1 << 20, Header: 1 << 20, Index: 1 << 20, Trailer: 1 << 20})
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		var ends [2][]byte
		var errs [2]error
		for i, source := range []func() io.Reader{
			func() io.Reader { return bytes.NewReader(b) },
			func() io.Reader { return io.MultiReader(bytes.NewReader(b)) },
		} {
			ends[i], errs[i] = readSome(t, source(), limits, stream.Workers(1), stream.SpoolLimit(1<<20, 1<<20))
			got, err := readSome(t, source(), limits, stream.Workers(2), stream.SpoolLimit(1<<20, 1<<20))
			if !bytes.Equal(got, ends[i]) || (err == nil) != (errs[i] == nil) {
				t.Errorf("source %d: one worker %d bytes, %v; two workers %d bytes, %v", i, len(ends[i]), errs[i], len(got), err)
			}
			var fe *blosc2.FormatError
			if err != nil && !errors.As(err, &fe) {
				t.Errorf("source %d: untyped error %v", i, err)
			}
		}
		if errs[0] == nil && errs[1] == nil && !bytes.Equal(ends[0], ends[1]) {
			t.Errorf("%d bytes by the index, %d walking", len(ends[0]), len(ends[1]))
		}
	})
}

// FuzzDecompress compares Decompress with a Reader: both must read the same bytes, or
// fail.
func FuzzDecompress(f *testing.F) {
	data := noise(3000)
	f.Add(compress(f, data, stream.ChunkSize(900)))
	f.Add(compress(f, nil))
	f.Add(append(compress(f, data), compress(f, data[:10])...))
	f.Add(append(compress(f, data), 0x9e))
	f.Add(flushed(f, data, 700))
	limits := stream.Limits(frame.Limits{Chunk: 1 << 20, Header: 1 << 20, Index: 1 << 20, Trailer: 1 << 20, Total: 4 << 20})
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		got, err := stream.Decompress([]byte("x"), b, limits)
		r, e := stream.NewReader(bytes.NewReader(b), limits)
		must(t, e)
		defer r.Close()
		want, e := io.ReadAll(r)
		switch {
		case (err != nil) != (e != nil) || errors.Is(err, blosc2.ErrTrailing) != errors.Is(e, blosc2.ErrTrailing):
			t.Errorf("%v, but a Reader: %v", err, e)
		case err != nil && string(got) != "x":
			t.Errorf("%d bytes with an error", len(got))
		case err == nil && !bytes.Equal(got[1:], want):
			t.Errorf("%d bytes, but a Reader: %d", len(got)-1, len(want))
		}
	})
}
