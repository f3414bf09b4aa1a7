package stream_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// TestAppendVariable continues chunks of any size after a frame of one chunk size. After
// every Flush the file, as the death of the process leaves it, holds all data, as a
// frame.Reader, a stream.Reader and the next Writer see it.
func TestAppendVariable(t *testing.T) {
	var lossy filters.Pipeline
	lossy.IDs[5], lossy.Metas[5] = blosc2.FilterTruncPrec, 10
	data := bytes.Repeat([]byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}, 1024) // values that the lossy filter does not change
	for _, c := range []struct {
		name   string
		before int  // bytes in the frame before Append
		killed bool // the first writer died without Close
		opts   []stream.WriterOption
	}{
		{"Short", 1000, false, nil},
		{"Full", 8192, false, nil},
		{"Killed", 3000, true, nil},
		{"Lossy", 1000, false, []stream.WriterOption{stream.Filters(lossy)}},
		{"LossyKilled", 5000, true, []stream.WriterOption{stream.Filters(lossy)}},
		{"Variable", 1000, false, []stream.WriterOption{stream.VariableChunks()}},
	} {
		for _, checkpoint := range []int{0, 2, 5} {
			path := filepath.Join(t.TempDir(), "x.b2frame")
			w, err := stream.CreateFile(path, append(c.opts, stream.TypeSize(4), stream.ChunkSize(4096))...)
			if err != nil {
				t.Fatal(err)
			}
			var want []byte
			write := func(n int) {
				t.Helper()
				if _, err := w.Write(data[:n]); err != nil {
					t.Fatal(err)
				}
				want = append(want, data[:n]...)
			}
			write(c.before)
			if c.killed {
				if err := w.Checkpoint(); err != nil {
					t.Fatal(err)
				}
				write(400)
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				path = afterKill(t, path)
				w.Abort(nil)
			} else if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if w, err = stream.AppendFile(path, stream.VariableChunks()); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			for i := range 8 {
				write(1000 + 500*i)
				if checkpoint > 0 && i%checkpoint == checkpoint-1 {
					err = w.Checkpoint()
				} else {
					err = w.Flush()
				}
				if err != nil {
					t.Fatal(err)
				}
				holds(t, c.name, path, want)
				holdsMore(t, c.name, afterKill(t, path), want)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			holds(t, c.name, path, want)
		}
	}
}

// afterKill returns a copy of a file, as its writer leaves it when it is killed.
func afterKill(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "killed.b2frame")
	if err := os.WriteFile(other, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return other
}

// holds checks that a file holds want, read by chunks and front to back.
func holds(t *testing.T, name, path string, want []byte) {
	t.Helper()
	f, err := frame.OpenFile(path)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer f.Close()
	var got []byte
	for n := range f.NumChunks() {
		if got, err = f.Chunk(got, n); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s: a frame.Reader gets %d bytes of %d", name, len(got), len(want))
	}
	r, err := stream.OpenFile(path)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer r.Close()
	if got, err = io.ReadAll(r); !bytes.Equal(got, want) {
		t.Fatalf("%s: a stream.Reader gets %d bytes of %d: %v", name, len(got), len(want), err)
	}
}

// holdsMore checks that the next Writer can continue the file.
func holdsMore(t *testing.T, name, path string, want []byte) {
	t.Helper()
	w, err := stream.AppendFile(path, stream.VariableChunks())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	more := []byte{0, 0, 0x80, 0x3f}
	if _, err := w.Write(more); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	holds(t, name, path, append(bytes.Clone(want), more...))
}
