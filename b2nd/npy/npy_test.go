package npy_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd/npy"
	"github.com/seed03b80dae/blosc2/meta"
)

func int32s(shape ...int64) *npy.Header {
	return &npy.Header{DType: must(meta.ParseDType("<i4")), Shape: shape}
}

// file makes a .npy file of n zero bytes behind a header.
func file(h *npy.Header, n int) []byte {
	return append(must(h.Append(nil)), make([]byte, n)...)
}

func TestAlignment(t *testing.T) {
	for _, h := range []*npy.Header{int32s(), int32s(3), int32s(1, 2, 3, 4, 5, 6, 7, 8)} {
		b := must(h.Append(nil))
		if len(b)%64 != 0 || b[len(b)-1] != '\n' {
			t.Errorf("%v: header of %d bytes: %q", h.Shape, len(b), b)
		}
		back := must(npy.ReadHeader(bytes.NewReader(b)))
		if got := must(back.Append(nil)); !bytes.Equal(got, b) {
			t.Errorf("%q is written again as %q", b, got)
		}
	}
}

func TestTruncated(t *testing.T) {
	whole := file(int32s(2, 3), 24)
	for n := range len(whole) {
		r, err := npy.NewReader(iotest.OneByteReader(bytes.NewReader(whole[:n])))
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
}

func TestTwoInARow(t *testing.T) {
	src := bytes.NewReader(append(file(int32s(2), 8), file(int32s(5), 20)...))
	for _, want := range []int{8, 20} {
		r := must(npy.NewReader(src))
		if got := must(io.ReadAll(r)); len(got) != want {
			t.Errorf("%d bytes, want %d", len(got), want)
		}
	}
}

func TestRefused(t *testing.T) {
	header := func(text string) string { return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), 0}) + text }
	for _, c := range []struct {
		file string
		want error
	}{
		{"no magic", blosc2.ErrCorrupt},
		{"\x93NUMPY\x04\x00\x02\x00{}", blosc2.ErrUnsupported},
		{"\x93NUMPY\x02\x00\xff\xff\xff\xff{}", blosc2.ErrTooLarge},
		{header("{}"), blosc2.ErrCorrupt},
		{header("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), "), blosc2.ErrCorrupt},
		{header("{'descr': '<i4', 'fortran_order': 0, 'shape': (2,)}"), blosc2.ErrCorrupt},
		{header("{'descr': '<i4', 'fortran_order': False, 'shape': (-2,)}"), blosc2.ErrCorrupt},
		{header("{'descr': '<i4', 'fortran_order': False, 'shape': [2]}"), blosc2.ErrCorrupt},
		{header("{'descr': '<i4', 'fortran_order': False, 'shape': (9223372036854775807, 2)}"), blosc2.ErrCorrupt},
		{header("{'descr': '<i4', 'fortran_order': False, 'shape': (0, 9223372036854775807, 2)}"), blosc2.ErrCorrupt},
		{header("{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (2,)}"), blosc2.ErrCorrupt},
		{header("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}"), blosc2.ErrUnsupported},
		{header("{'descr': '<i3', 'fortran_order': False, 'shape': (2,)}"), blosc2.ErrUnsupported},
	} {
		if _, err := npy.NewReader(strings.NewReader(c.file)); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.file, err, c.want)
		}
	}
	// Python 2 wrote long numbers so.
	if h, err := npy.ReadHeader(strings.NewReader(header(`{"descr": "<i4", "fortran_order": False, "shape": (2L, 3L)}`))); err != nil || len(h.Shape) != 2 {
		t.Error(h, err)
	}
}

func TestWriterCounts(t *testing.T) {
	var out bytes.Buffer
	w := must(npy.NewWriter(&out, *int32s(2)))
	if _, err := w.Write(make([]byte, 9)); err == nil {
		t.Error("9 bytes for 8 were taken")
	}
	must(w.Write(make([]byte, 7)))
	if err := w.Close(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("7 bytes for 8: %v", err)
	}
	if _, err := w.Write(nil); !errors.Is(err, blosc2.ErrClosed) {
		t.Errorf("written to after Close: %v", err)
	}
	for _, shape := range [][]int64{{-2}, {3, npy.Unknown}, {npy.Unknown, 0}, {1 << 40, 1 << 40}} {
		if _, err := npy.NewWriter(&out, *int32s(shape...)); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("shape %v: %v", shape, err)
		}
	}
}

// TestUnknown grows arrays whose number of rows is known at the end only, in a
// file behind other bytes, and in something that takes bytes front to back.
func TestUnknown(t *testing.T) {
	grow := func(w io.Writer, n int) error {
		nw := must(npy.NewWriter(w, *int32s(npy.Unknown, 3)))
		for range n {
			must(nw.Write([]byte("abc")))
		}
		return nw.Close()
	}
	want := must(int32s(100, 3).Append([]byte("before")))
	want = append(want, bytes.Repeat([]byte("abc"), 400)...)

	f := must(os.Create(filepath.Join(t.TempDir(), "x.npy")))
	defer f.Close()
	must(f.WriteString("before"))
	if err := grow(f, 400); err != nil {
		t.Fatal(err)
	}
	if got := must(os.ReadFile(f.Name())); !bytes.Equal(got, want) {
		t.Error("not what an array of known shape is in a file")
	}
	out := bytes.NewBufferString("before")
	if err := grow(out, 400); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Error("not what an array of known shape is in a buffer")
	}
	if err := grow(io.Discard, 401); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a quarter of a row: %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(file(int32s(2, 3), 24))
	f.Add(file(&npy.Header{DType: must(meta.ParseDType("[('a', '<i4'), ('b', '|S3', (2,))]")), Shape: []int64{2, 2}, Fortran: true}, 40))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := npy.NewReader(bytes.NewReader(b))
		if err != nil {
			return
		}
		n, err := io.Copy(io.Discard, io.LimitReader(r, 1<<20))
		h := r.Header()
		if size := must(h.Size()); err == nil && n != min(size, 1<<20) || n > size {
			t.Errorf("%d bytes of %d, %v", n, size, err)
		}
		if again, err := h.Append(nil); err == nil {
			back, err := npy.ReadHeader(bytes.NewReader(again))
			if err != nil || back.DType.String() != h.DType.String() {
				t.Errorf("%q written again: %v, %v", again, back, err)
			}
		}
	})
}
