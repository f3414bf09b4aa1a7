package reliabilitytest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// makeGolden makes TestMakeGolden rewrite the golden files of open logs. This is
// allowed only if the format changes before it is published.
var makeGolden = os.Getenv("BLOSC2_GOLDEN") != ""

// TestMakeGolden writes the golden files, each from the last state of a log that
// has the required form.
func TestMakeGolden(t *testing.T) {
	if !makeGolden {
		t.Skip("BLOSC2_GOLDEN is not set")
	}
	data := squares(60_000)
	flushed := func(name string, f func(w *stream.Writer) error) {
		d := newDisk(nil)
		w, err := stream.NewWriter(d, stream.ChunkSize(2000), stream.TypeSize(8), stream.Workers(1))
		must(t, err)
		must(t, f(w))
		w.Abort(nil)
		keep(t, name, d.b)
	}
	write := func(w *stream.Writer, from, to int, then func() error) error {
		_, err := w.Write(data[from:to])
		return errors.Join(err, then())
	}
	flushed("flushed", func(w *stream.Writer) error {
		return errors.Join(write(w, 0, 2500, w.Flush), write(w, 2500, 2777, w.Flush))
	})
	flushed("committed", func(w *stream.Writer) error {
		return errors.Join(write(w, 0, 2500, w.Flush), write(w, 2500, 2777, w.Checkpoint))
	})
	flushed("committed-flushed", func(w *stream.Writer) error {
		return errors.Join(write(w, 0, 2500, w.Checkpoint), write(w, 2500, 5555, w.Flush), write(w, 5555, 5601, w.Flush))
	})
	last := map[string][]byte{}
	for seed := range uint64(3000) {
		for name, is := range map[string]func(b []byte) bool{"displaced": isDisplaced, "jumped": hasJumped} {
			if last[name] != nil {
				continue
			}
			d := newDisk(nil)
			rng := rand.New(rand.NewPCG(seed, 3))
			at, start := 0, []byte(nil)
			w, err := stream.NewWriter(d, stream.ChunkSize([]int{1000, 2000, 4000}[seed%3]), stream.TypeSize(8), stream.Codec(blosc2.CodecZstd), stream.Level(9), stream.Workers(1))
			must(t, err)
			for range 12 {
				n := rng.IntN(9000)
				if rng.IntN(4) == 0 {
					n = 30_000
				}
				if at+n > len(data) {
					break
				}
				must(t, write(w, at, at+n, []func() error{w.Checkpoint, w.Flush}[rng.IntN(2)]))
				at += n
				if rng.IntN(3) == 0 {
					must(t, w.Close())
					w, err = stream.Append(d, int64(len(d.b)), stream.Workers(1))
					must(t, err)
				}
			}
			w.Abort(nil)
			d.killed(start, true, 0, func(_ int, b []byte) {
				if last[name] == nil && is(b) {
					last[name] = bytes.Clone(b)
				}
			})
		}
	}
	for _, name := range []string{"displaced", "jumped"} {
		if last[name] == nil {
			t.Fatalf("no log is %s", name)
		}
		keep(t, name, last[name])
	}
}

// keep writes a golden file and prints its contents.
func keep(t *testing.T, name string, b []byte) {
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.AllowTorn())
	must(t, err)
	fmt.Printf("{%q, %d, %d},\n", name, f.Header().NBytes, f.Size())
	must(t, os.MkdirAll(filepath.Join("..", "..", "stream", "testdata", "open"), 0o777))
	must(t, os.WriteFile(filepath.Join("..", "..", "stream", "testdata", "open", name+".b2frame"), b, 0o666))
}

// hasJumped reports whether a log is open and continues after the tail of a
// commit.
func hasJumped(b []byte) bool {
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.DropTail())
	at := bytes.Index(b, []byte("B2CK\x05\x01"))
	if err != nil || !f.Open() || at < 0 || f.NumChunks() < 3 {
		return false
	}
	it, err := f.Item(nil, f.NumChunks()-2)
	return err == nil && it.Offset > int64(at)
}
