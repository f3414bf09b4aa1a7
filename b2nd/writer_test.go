package b2nd

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// Arrays with every kind of edge survive a round trip through Writer and Open,
// including growing ones, with sinks that can be patched and others.
func TestWriter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 400 {
		g := randomGrid(t, r)
		data := randomBytes(r, g.items()*g.item)
		spec := Spec{Shape: append([]int64{}, g.shape...), ItemSize: int(g.item), ChunkShape: g.chunk, BlockShape: g.block}
		growing := len(g.shape) > 0 && product(g.shape[1:]) > 0 && i%2 == 0
		if growing {
			spec.Shape[0] = Unknown
		}
		path := filepath.Join(t.TempDir(), "a.b2nd")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		var sink io.Writer = file
		if i%3 == 0 {
			sink = struct{ io.Writer }{file} // this sink cannot be patched
		}
		w, err := NewWriter(sink, spec, stream.Workers(1+i%2))
		if err != nil {
			t.Fatalf("%+v: %v", spec, err)
		}
		switch i % 5 {
		case 0:
			if _, err := w.ReadFrom(iotest.HalfReader(bytes.NewReader(data))); err != nil {
				t.Fatal(err)
			}
		case 1:
			writeIn(t, r, w, data[:len(data)/2])
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			writeIn(t, r, w, data[len(data)/2:])
		default:
			writeIn(t, r, w, data)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		file.Close()
		if i%3 == 0 && !w.Sealed() {
			if err := frame.SealFile(path); err != nil {
				t.Fatal(err)
			}
		}
		a, err := OpenFile(path)
		if err != nil {
			t.Fatalf("%+v: %v", spec, err)
		}
		got, err := a.ReadAll()
		if err != nil {
			t.Fatalf("%+v: %v", spec, err)
		}
		if !bytes.Equal(got, data) {
			t.Fatalf("%+v, growing %v: other bytes", spec, growing)
		}
		a.Close()
	}
}

func TestWriterRefuses(t *testing.T) {
	w, err := NewWriter(io.Discard, Spec{Shape: []int64{3, 4}, DType: "<i4"})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := w.Write(make([]byte, 50)); n != 48 || err == nil {
		t.Errorf("50 bytes into an array of 48: %d, %v", n, err)
	}
	w, _ = NewWriter(io.Discard, Spec{Shape: []int64{3, 4}, DType: "<i4"})
	w.Write(make([]byte, 40))
	if err := w.Close(); err == nil {
		t.Error("an array of 48 bytes was closed after 40")
	}
	w, _ = NewWriter(io.Discard, Spec{Shape: []int64{Unknown, 4}, DType: "<i4"})
	w.Write(make([]byte, 40))
	if err := w.Close(); err == nil {
		t.Error("rows of 16 bytes were closed after 40")
	}
	for _, s := range []Spec{
		{Shape: []int64{2, -1}, DType: "<i4"},
		{Shape: []int64{2}},
		{Shape: []int64{2}, DType: "O"},
		{Shape: []int64{2}, DType: "<i4", ItemSize: 8},
		{Shape: []int64{2}, DType: "<i4", ChunkShape: []int64{1, 1}},
		{Shape: []int64{2}, DType: "<i4", BlockShape: []int64{0}},
		{Shape: make([]int64, 17), DType: "<i4"},
		{Shape: []int64{1 << 62, 1 << 62}, DType: "<i4"},
		{Shape: []int64{Unknown, 0}, DType: "<i4"},
	} {
		if _, err := NewWriter(io.Discard, s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}
