package npy

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

// known returns the file with a header, which has no unknown dimensions, and items.
func known(t *testing.T, h Header, items string) string {
	t.Helper()
	b, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + items
}

// TestUnknown writes an array that grows into outputs of every kind, after some bytes of
// others. The file must equal the one written with the final shape.
func TestUnknown(t *testing.T) {
	const before, items = "before", "aabbccddeeff"
	for _, c := range []struct {
		h    Header
		want Header
	}{
		{Header{DType: "|S2", Shape: []int64{Unknown}}, Header{DType: "|S2", Shape: []int64{6}}},
		{Header{DType: "|S2", Shape: []int64{Unknown, 3}}, Header{DType: "|S2", Shape: []int64{2, 3}}},
		{Header{DType: "|S1", Shape: []int64{2, Unknown}, Fortran: true}, Header{DType: "|S1", Shape: []int64{2, 6}, Fortran: true}},
	} {
		want := before + known(t, c.want, items)
		for kind, open := range outputs(t) {
			w, content := open()
			if _, err := io.WriteString(w, before); err != nil {
				t.Fatal(err)
			}
			nw, err := NewWriter(w, c.h)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{items[:5], items[5:]} {
				if _, err := io.WriteString(nw, part); err != nil {
					t.Fatal(err)
				}
			}
			if err := nw.Close(); err != nil {
				t.Fatal(err)
			}
			if got := content(); got != want {
				t.Errorf("%s, %v: %q, want %q", kind, c.h.Shape, got, want)
			}
			if h := nw.Header(); h.Shape[h.slowest()] != c.want.Shape[h.slowest()] {
				t.Errorf("%s: header %+v after Close", kind, h)
			}
			if c.h.Shape[c.h.slowest()] != Unknown {
				t.Error("the caller's header was changed")
			}
		}
	}
}

// A seeker can seek and write, but not write at an offset.
type seeker struct{ f *os.File }

func (s seeker) Write(p []byte) (int, error)               { return s.f.Write(p) }
func (s seeker) Seek(off int64, whence int) (int64, error) { return s.f.Seek(off, whence) }

// outputs returns outputs with functions that return their contents.
func outputs(t *testing.T) map[string]func() (io.Writer, func() string) {
	dir := t.TempDir()
	file := func(flag int) (*os.File, func() string) {
		name := filepath.Join(dir, "out")
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|flag, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f, func() string {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
	}
	return map[string]func() (io.Writer, func() string){
		"buffer": func() (io.Writer, func() string) {
			var b bytes.Buffer
			return &b, b.String
		},
		"file":                  func() (io.Writer, func() string) { return file(0) },
		"file opened to append": func() (io.Writer, func() string) { return file(os.O_APPEND) },
		"seeker": func() (io.Writer, func() string) {
			f, content := file(0)
			return seeker{f}, content
		},
		"pipe": func() (io.Writer, func() string) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			return w, func() string { // the buffer of the pipe holds all of it
				w.Close()
				b, err := io.ReadAll(r)
				if err != nil {
					t.Error(err)
				}
				r.Close()
				return string(b)
			}
		},
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape []int64
		items int
		write error
		close error
	}{
		{"exact", []int64{2, 3}, 24, nil, nil},
		{"too few", []int64{2, 3}, 23, nil, ErrSize},
		{"too many", []int64{2, 3}, 25, ErrSize, ErrSize},
		{"none", []int64{0, 3}, 0, nil, nil},
		{"some of none", []int64{0, 3}, 1, ErrSize, nil},
		{"scalar", nil, 4, nil, nil},
		{"unknown, none", []int64{Unknown, 3}, 0, nil, nil},
		{"unknown, whole", []int64{Unknown, 3}, 36, nil, nil},
		{"unknown, not whole", []int64{Unknown, 3}, 40, nil, ErrSize},
		{"unknown of nothing", []int64{Unknown, 0}, 4, nil, ErrSize},
	} {
		var b bytes.Buffer
		w, err := NewWriter(&b, Header{DType: "<f4", Shape: c.shape})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, c.items)); !errors.Is(err, c.write) {
			t.Errorf("%s: Write: %v", c.name, err)
		}
		if err := w.Close(); !errors.Is(err, c.close) {
			t.Errorf("%s: Close: %v", c.name, err)
		}
		if err := w.Close(); !errors.Is(err, c.close) {
			t.Errorf("%s: second Close: %v", c.name, err)
		}
		if c.close == nil {
			if _, err := w.Write(nil); err != blosc2.ErrClosed {
				t.Errorf("%s: Write after Close: %v", c.name, err)
			}
		}
	}
}

// A failing output accepts a number of bytes and then returns errors.
type failing struct{ left int }

var errFailing = errors.New("no more")

func (f *failing) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	if n < len(p) {
		return n, errFailing
	}
	return n, nil
}

func TestFailingOutput(t *testing.T) {
	h := Header{DType: "<f4", Shape: []int64{8}}
	if _, err := NewWriter(&failing{10}, h); err != errFailing {
		t.Errorf("header: %v", err)
	}
	w, err := NewWriter(&failing{140}, h)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := w.Write(make([]byte, 32)); n != 12 || err != errFailing {
		t.Errorf("items: %d, %v", n, err)
	}
	if err := w.Close(); err != errFailing {
		t.Errorf("Close: %v", err)
	}
	h.Shape[0] = Unknown
	if w, err = NewWriter(&failing{140}, h); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 32)); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != errFailing {
		t.Errorf("Close of what was spooled: %v", err)
	}
}

func TestReader(t *testing.T) {
	h := Header{DType: "<i2", Shape: []int64{4}}
	whole := known(t, h, "aabbccdd")
	src := strings.NewReader(whole + "after")
	r, err := NewReader(src)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if rest := src.Len(); string(got) != "aabbccdd" || err != nil || rest != len("after") {
		t.Errorf("%q, %v, %d bytes left", got, err, rest)
	}
	for n := 1; n <= 8; n++ {
		if r, err = NewReader(strings.NewReader(whole[:len(whole)-n])); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); len(got) != 8-n || err != io.ErrUnexpectedEOF {
			t.Errorf("%d bytes missing: %d, %v", n, len(got), err)
		}
	}
}

// TestFortranLimits reads an array in Fortran order with little memory.
func TestFortranLimits(t *testing.T) {
	h := Header{DType: "|u1", Shape: []int64{5, 3, 2}, Fortran: true}
	items := make([]byte, 30)
	want := make([]byte, 30)
	for i := range 5 {
		for j := range 3 {
			for k := range 2 {
				x := byte(100*i + 10*j + k)
				items[i+5*(j+3*k)], want[(i*3+j)*2+k] = x, x
			}
		}
	}
	file := known(t, h, string(items))
	for limit := int64(6); limit <= 31; limit++ {
		r, err := NewReader(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		c, err := r.COrder(limit)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(c); err != nil || !bytes.Equal(got, want) {
			t.Errorf("limit %d: %v, %v", limit, got, err)
		}
	}
	for name, src := range map[string]io.Reader{
		"slice above the limit": strings.NewReader(file),
		"no way to seek":        bytes.NewBufferString(file),
	} {
		r, err := NewReader(src)
		if err != nil {
			t.Fatal(err)
		}
		limit := int64(5)
		if name == "no way to seek" {
			limit = 29
		}
		if _, err := r.COrder(limit); !errors.Is(err, blosc2.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, limit := range []int64{10, 30} {
		r, err := NewReader(strings.NewReader(file[:len(file)-1]))
		if err != nil {
			t.Fatal(err)
		}
		c, err := r.COrder(limit)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(c); err != io.ErrUnexpectedEOF {
			t.Errorf("cut, limit %d: %v", limit, err)
		}
	}
}
