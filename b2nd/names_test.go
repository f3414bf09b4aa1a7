package b2nd

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// Errors about files name the file once, and wrap the cause.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	name := func(n string) string { return filepath.Join(dir, n) }
	text, empty, missing, sparse := name("text"), name("empty"), name("missing"), name("folder")
	if err := errors.Join(os.WriteFile(text, []byte(strings.Repeat("no frame", 9)), 0o666), os.WriteFile(empty, nil, 0o666), os.Mkdir(sparse, 0o777)); err != nil {
		t.Fatal(err)
	}
	for what, open := range map[string]func(path string) error{
		"frame.OpenFile":    func(p string) error { _, err := frame.OpenFile(p); return err },
		"frame.EditFile":    func(p string) error { _, err := frame.EditFile(p); return err },
		"frame.SealFile":    func(p string) error { return frame.SealFile(p) },
		"frame.RenewFile":   func(p string) error { return frame.RenewFile(p) },
		"frame.CompactFile": func(p string) error { return frame.CompactFile(p) },
		"frame.RepairFile": func(p string) error {
			_, err := frame.RepairFile(p, p+".out")
			return err
		},
		"stream.AppendFile": func(p string) error { _, err := stream.AppendFile(p); return err },
		"b2nd.OpenFile":     func(p string) error { _, err := OpenFile(p); return err },
		"b2nd.EditFile":     func(p string) error { _, err := EditFile(p); return err },
	} {
		for path, kinds := range map[string][]error{
			text:    {blosc2.ErrNotBlosc2, blosc2.ErrCorrupt},
			empty:   {io.ErrUnexpectedEOF, blosc2.ErrCorrupt},
			missing: {fs.ErrNotExist},
		} {
			if what == "stream.AppendFile" && path != text {
				continue // AppendFile begins a frame in an empty file
			}
			err := open(path)
			var pe *fs.PathError
			if err == nil || !errors.As(err, &pe) || pe.Path != path || strings.Count(err.Error(), path) != 1 {
				t.Errorf("%s of %s: %v", what, filepath.Base(path), err)
				continue
			}
			is := false
			for _, kind := range kinds {
				is = is || errors.Is(err, kind)
			}
			if !is {
				t.Errorf("%s of %s: %v is none of %v", what, filepath.Base(path), err, kinds)
			}
		}
	}
	for what, open := range map[string]func(path string) error{
		"frame.OpenFile": func(p string) error { _, err := frame.OpenFile(p); return err },
		"b2nd.OpenFile":  func(p string) error { _, err := OpenFile(p); return err },
	} {
		if err := open(sparse); err == nil || strings.Count(err.Error(), sparse) != 1 {
			t.Errorf("%s of a folder: %v", what, err)
		}
	}
	// The error of an option does not name the file.
	if _, err := stream.AppendFile(text, stream.TypeSize(3)); err == nil {
		t.Error("appended to text")
	}
}

// An error of the source leaves an array unfinished, even if the error is
// io.ErrUnexpectedEOF; CloseRows makes an array of the complete rows.
func TestFailedSource(t *testing.T) {
	for _, bad := range []error{errors.New("boom"), io.ErrUnexpectedEOF} {
		for _, shape := range []int64{earlyRows, Unknown} {
			for _, rows := range []bool{false, true} {
				path := filepath.Join(t.TempDir(), "a")
				file, err := os.Create(path)
				if err != nil {
					t.Fatal(err)
				}
				w, err := NewWriter(file, earlySpec(shape), stream.Workers(1))
				if err != nil {
					t.Fatal(err)
				}
				data := make([]byte, 16*earlyRow) // whole slabs, so that no row is incomplete
				for i := range data {
					data[i] = byte(i >> 3)
				}
				src := io.MultiReader(strings.NewReader(string(data)), failing{bad})
				if n, err := w.ReadFrom(src); n != int64(len(data)) || err != bad {
					t.Errorf("shape %d: read %d bytes, %v", shape, n, err)
				}
				closing := w.Close
				if rows {
					closing = w.CloseRows
				}
				if err := closing(); err != bad {
					t.Errorf("shape %d, rows %v: closed with %v", shape, rows, err)
				}
				file.Close()
				a, err := OpenFile(path)
				if rows {
					if err != nil {
						t.Errorf("shape %d: %v", shape, err)
						continue
					}
					if got, err := a.ReadAll(); err != nil || string(got) != string(data) || a.Shape()[0] != 16 {
						t.Errorf("shape %d: %v, %d bytes, %v", shape, a.Shape(), len(got), err)
					}
					a.Close()
				} else if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("shape %d: unfinished: %v", shape, err)
				}
			}
		}
	}
}

// A failing source returns an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
