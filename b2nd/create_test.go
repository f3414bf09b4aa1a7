package b2nd

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

func TestCreate(t *testing.T) {
	nan := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.NaN())))
	value := []byte{1, 2, 3, 4}
	for _, c := range []struct {
		name  string
		make  func(*bytes.Buffer, Spec) error
		item  []byte // the expected item; nil if it is undefined
		limit int    // most bytes of the frame
	}{
		{"zeros", func(w *bytes.Buffer, s Spec) error { return Zeros(w, s) }, make([]byte, 4), 500},
		{"nans", func(w *bytes.Buffer, s Spec) error { return NaNs(w, s) }, nan, 500},
		{"uninit", func(w *bytes.Buffer, s Spec) error { return Uninit(w, s) }, nil, 500},
		{"full", func(w *bytes.Buffer, s Spec) error { return Full(w, s, value) }, value, 2000},
		{"full of zeros", func(w *bytes.Buffer, s Spec) error { return Full(w, s, make([]byte, 4)) }, make([]byte, 4), 500},
	} {
		for _, shape := range [][]int64{{}, {7}, {40, 50}, {3, 0, 2}, {5, 6, 7}} {
			spec := Spec{Shape: shape, DType: "<f4"}
			if len(shape) == 2 {
				spec.ChunkShape, spec.BlockShape = []int64{16, 20}, []int64{8, 10}
			}
			var buf bytes.Buffer
			if err := c.make(&buf, spec); err != nil {
				t.Fatalf("%s %v: %v", c.name, shape, err)
			}
			if buf.Len() > c.limit {
				t.Errorf("%s %v takes %d bytes", c.name, shape, buf.Len())
			}
			a, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
			if err != nil {
				t.Fatalf("%s %v: %v", c.name, shape, err)
			}
			got, err := a.ReadAll()
			if err != nil {
				t.Fatalf("%s %v: %v", c.name, shape, err)
			}
			want := bytes.Repeat(c.item, int(product(shape)))
			if c.item != nil && !bytes.Equal(got, want) {
				t.Errorf("%s %v reads as other items", c.name, shape)
			}
			path := filepath.Join(t.TempDir(), "a.b2nd")
			if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, lib := range b2test.Oracles(t) {
				got, err := lib.Decode(t, "read-b2nd", path)
				if err != nil {
					t.Errorf("%s %v: %v", c.name, shape, err)
				} else if c.item != nil && !bytes.Equal(got, want) {
					t.Errorf("%s %v: C-Blosc2 %d reads other items", c.name, shape, lib.Major)
				}
			}
		}
	}
}

// A terabyte of zeros takes a few hundred bytes.
func TestCreateHuge(t *testing.T) {
	var buf bytes.Buffer
	if err := Zeros(&buf, Spec{Shape: []int64{1 << 17, 1 << 10, 1 << 10}, DType: "<f8"}); err != nil {
		t.Fatal(err)
	}
	if buf.Len() > 600 {
		t.Errorf("a terabyte of zeros takes %d bytes", buf.Len())
	}
	a, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if a.Size() != 1<<40 {
		t.Errorf("the array has %d bytes", a.Size())
	}
	if v, err := At[float64](a, 1<<17-1, 1<<10-1, 5); err != nil || v != 0 {
		t.Errorf("an item is %v, %v", v, err)
	}
	if _, err := a.ReadAll(); err == nil {
		t.Error("a terabyte was read into memory")
	}
	path := filepath.Join(t.TempDir(), "a.b2nd")
	if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, lib := range b2test.Oracles(t) {
		out := filepath.Join(t.TempDir(), "o")
		lib.Run(t, "slice-b2nd", "--start", "100000,3,4", "--stop", "100001,4,6", path, out)
		if got, _ := os.ReadFile(out); !bytes.Equal(got, make([]byte, 16)) {
			t.Errorf("C-Blosc2 %d reads %x", lib.Major, got)
		}
	}
}
