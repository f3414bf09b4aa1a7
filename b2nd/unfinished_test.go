package b2nd_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
)

// The errors of an array of known shape that is not finished say how to finish it, and
// that works.
func TestUnfinished(t *testing.T) {
	const rows, whole = 7, 4 // rows that are written, and those in whole chunks
	for how, c := range map[string]struct {
		end  func(w *b2nd.Writer) error
		is   error
		says string
	}{
		"Flush":      {func(w *b2nd.Writer) error { return w.Flush() }, io.ErrUnexpectedEOF, "frame.Repair and then Finish keep its complete rows"},
		"Checkpoint": {func(w *b2nd.Writer) error { return w.Checkpoint() }, blosc2.ErrCorrupt, "if it is not finished, Finish keeps its complete rows"},
		"Close":      {func(w *b2nd.Writer) error { return w.Close() }, io.ErrUnexpectedEOF, "frame.Repair and then Finish keep its complete rows"},
	} {
		path := filepath.Join(t.TempDir(), "a.b2nd")
		w, err := b2nd.CreateFile(path, b2nd.Spec{Shape: []int64{10, 4}, ChunkShape: []int64{4, 4}, DType: "<f4"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b2nd.WriteSlice(w.Writer, make([]float32, rows*4)); err != nil {
			t.Fatal(err)
		}
		err = c.end(w.Writer)
		if how == "Close" != errors.Is(err, io.ErrUnexpectedEOF) || how == "Close" && !strings.Contains(err.Error(), "CloseRows") {
			t.Errorf("%s: %v", how, err)
		}
		w.Abort(nil)
		var fe *blosc2.FormatError
		if _, err := b2nd.OpenFile(path); !errors.Is(err, c.is) || !errors.As(err, &fe) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", how, err)
		}
		if how != "Checkpoint" {
			if _, err := frame.RepairFile(path, path+"2"); err != nil {
				t.Fatalf("%s: %v", how, err)
			}
			path += "2"
		}
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := b2nd.Finish(file, info.Size()); n != whole || err != nil {
			t.Errorf("%s: %d rows, %v", how, n, err)
		}
		file.Close()
		a, err := b2nd.OpenFile(path)
		if err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		if got, err := b2nd.Read[float32](a, nil); len(got) != whole*4 || err != nil {
			t.Errorf("%s: %d items, %v", how, len(got), err)
		}
		a.Close()
	}
}

// If no row is complete, the errors do not say how to keep rows.
func TestUnfinishedRow(t *testing.T) {
	for _, shape := range [][]int64{{10, 4}, {b2nd.Unknown, 4}} {
		for _, items := range []int{0, 1, 3, 4, 5, 17} {
			w, err := b2nd.NewWriter(io.Discard, b2nd.Spec{Shape: shape, ChunkShape: []int64{4, 4}, DType: "<f4"})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b2nd.WriteSlice(w, make([]float32, items)); err != nil {
				t.Fatal(err)
			}
			err = w.Close()
			if shape[0] == b2nd.Unknown && items%4 == 0 {
				if err != nil {
					t.Errorf("%v, %d items: %v", shape, items, err)
				}
				continue
			}
			advice := "; no row is complete"
			if items >= 4 {
				advice = "; CloseRows, in place of Close, ends it after its last complete row"
			}
			if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasSuffix(err.Error(), advice) {
				t.Errorf("%v, %d items: %v", shape, items, err)
			}
		}
	}

	path := filepath.Join(t.TempDir(), "a.b2nd")
	w, err := b2nd.CreateFile(path, b2nd.Spec{Shape: []int64{10, 12}, ChunkShape: []int64{4, 4}, DType: "<f4"})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Flush(), w.Abort(nil)); !errors.Is(err, blosc2.ErrClosed) {
		t.Fatal(err)
	}
	if _, err := frame.RepairFile(path, path+"2"); err != nil {
		t.Fatal(err)
	}
	if _, err := b2nd.OpenFile(path + "2"); err == nil || !strings.Contains(err.Error(), "; if it is not finished, none of its rows is complete: ") {
		t.Error(err)
	}
}
