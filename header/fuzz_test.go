package header_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/wire/wiretest"
)

// seeds adds the golden files with matching names to the corpus of the fuzz target.
func seeds(f *testing.F, pattern string) {
	f.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(names) == 0 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(wiretest.Parse(f, string(text)))
	}
}

// typed fails the test if an error about input does not wrap a sentinel.
func typed(t *testing.T, err error) {
	t.Helper()
	var fe *blosc2.FormatError
	if !errors.As(err, &fe) || !errors.Is(err, blosc2.ErrCorrupt) && !errors.Is(err, blosc2.ErrUnsupported) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%#v: %v", err, err)
	}
}

// Every header that Parse accepts is written as it was read.
func FuzzParse(f *testing.F) {
	seeds(f, "header-*.golden")
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		before := bytes.Clone(b)
		h, err := header.Parse(b)
		if !bytes.Equal(b, before) {
			t.Fatal("input changed")
		}
		if err != nil {
			typed(t, err)
			return
		}
		n, err := header.Size(b)
		if err != nil || n != h.Len() {
			t.Fatalf("size %d, %v; length %d", n, err, h.Len())
		}
		out, err := h.Append(nil)
		if err != nil || !bytes.Equal(out, b[:n]) {
			t.Errorf("%+v\nwritten as % x\nread as    % x\n%v", h, out, b[:n], err)
		}
	})
}

// A valid trailer that can be written is equal when read again, and TrailerExtent returns
// its length.
func FuzzTrailer(f *testing.F) {
	seeds(f, "trailer-*.golden")
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		for _, h := range []*header.Header{{FrameLen: 1 << 40}, {FrameLen: 1 << 40, Generation: header.LayoutBeta, LittleEndian: true}} {
			if len(b) >= header.TrailerEnd {
				if _, err := h.TrailerLen(b[len(b)-header.TrailerEnd:]); err != nil {
					typed(t, err)
				}
			}
			if _, _, err := h.TrailerExtent(b); err != nil {
				typed(t, err)
			}
			tr, err := h.ParseTrailer(b)
			if err != nil {
				typed(t, err)
				continue
			}
			out, err := tr.Append(nil)
			if err != nil {
				if !errors.Is(err, blosc2.ErrOption) {
					t.Error(err)
				}
				continue
			}
			again, err := h.ParseTrailer(out)
			if err != nil || !reflect.DeepEqual(again, tr) {
				t.Errorf("%+v\nwritten as % x, read as %+v: %v", tr, out, again, err)
			}
			n, whole := 0, false
			for !whole {
				if n > len(out) {
					t.Fatalf("extent %d, want %d", n, len(out))
				}
				if n, whole, err = h.TrailerExtent(out[:n]); err != nil {
					t.Fatal(err)
				}
			}
			if n != len(out) {
				t.Errorf("extent %d, want %d", n, len(out))
			}
		}
	})
}
