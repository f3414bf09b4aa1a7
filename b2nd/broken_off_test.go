package b2nd_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
)

// An array that its writer does not finish keeps the committed rows, even if it is the
// writer that created the file.
func TestBreakOffKeepsRows(t *testing.T) {
	broken := errors.New("broken")
	for name, breakOff := range map[string]func(w *b2nd.FileWriter) error{
		"CloseWithError": func(w *b2nd.FileWriter) error { return w.CloseWithError(broken) },
		"Abort":          func(w *b2nd.FileWriter) error { return w.Abort(broken) },
		"Copy": func(w *b2nd.FileWriter) error {
			r, pw := io.Pipe()
			go func() { pw.Write(make([]byte, 24)); pw.CloseWithError(broken) }()
			if _, err := stream.Copy(w.Writer, r); !errors.Is(err, broken) {
				t.Errorf("Copy: %v", err)
			}
			return w.Close()
		},
		"part of a row": func(w *b2nd.FileWriter) error {
			if _, err := w.Write(make([]byte, 25)); err != nil {
				t.Error(err)
			}
			return w.Close()
		},
	} {
		for _, rows := range []int64{1, 100, 128, 300} { // a slab has 128 rows
			path := filepath.Join(t.TempDir(), "rows.b2nd")
			spec := b2nd.Spec{Shape: []int64{b2nd.Unknown, 3}, DType: "<f8", ChunkShape: []int64{128, 3}, BlockShape: []int64{16, 3}}
			w, err := b2nd.AppendFile(path, spec)
			if err != nil {
				t.Fatal(err)
			}
			data := make([]float64, 3*rows)
			for i := range data {
				data[i] = float64(i)
			}
			if _, err := b2nd.WriteSlice(w.Writer, data); err != nil {
				t.Fatal(err)
			}
			if err := w.Checkpoint(); err != nil {
				t.Fatal(err)
			}
			if err := breakOff(w); err == nil {
				t.Errorf("%s: no error", name)
			}
			a, err := b2nd.OpenFile(path)
			if err != nil {
				t.Errorf("%s, %d rows: %v", name, rows, err)
				continue
			}
			got, err := b2nd.Read[float64](a, b2nd.All(a.Shape()))
			if n := min(len(got), len(data)); err != nil || len(got) < len(data) || !slices.Equal(got[:n], data) {
				t.Errorf("%s, %d rows: %d items: %v", name, rows, len(got), err)
			}
			a.Close()
			if w, err = b2nd.AppendFile(path, spec); err != nil {
				t.Errorf("%s, %d rows: going on: %v", name, rows, err)
				continue
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			os.Remove(path)
		}
	}
}
