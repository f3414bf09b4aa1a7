package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// cube writes an array of 5 by 40 by 30 float32, the sums of their indices times 1000,
// 10 and 1.
func cube(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "cube.b2nd")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	spec, err := b2nd.SpecOf[float32](5, 40, 30)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b2nd.NewWriter(f, spec)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort(nil)
	for i := range 5 * 40 * 30 {
		x := float32(i/1200*1000 + i/30%40*10 + i%30)
		if i == 35 {
			x = float32(math.NaN())
		}
		if _, err := b2nd.WriteSlice(w, []float32{x}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// growing creates an array with rows of three int32. It returns a function that appends
// rows, which are numbered from 0.
func growing(t *testing.T) (name string, add func(rows int)) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "log.b2nd")
	spec, err := b2nd.SpecOf[int32](b2nd.Unknown, 3)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b2nd.AppendFile(name, spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	n := int32(0)
	return name, func(rows int) {
		t.Helper()
		for range rows {
			if _, err := b2nd.WriteSlice(w.Writer, []int32{n, 7 * n, -n}); err != nil {
				t.Fatal(err)
			}
			n++
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
}
