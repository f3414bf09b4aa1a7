package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/npy"
)

// A .npy file in Fortran order survives a round trip, alone and in a .npz file.
func TestFortran(t *testing.T) {
	for _, h := range []npy.Header{
		{DType: "<f4", Shape: []int64{7, 5, 3}, Fortran: true},
		{DType: "<i2", Shape: []int64{100, 1}, Fortran: true},
		{DType: "|u1", Shape: []int64{9}, Fortran: true},
		{DType: "<f8", Shape: []int64{0, 3}, Fortran: true},
		{DType: "[('a', '<i4'), ('b', '|u1')]", Shape: []int64{4, 6}, Fortran: true},
		{DType: "<f4", Shape: []int64{7, 5, 3}},
	} {
		size, err := h.Size()
		if err != nil {
			t.Fatal(err)
		}
		items := make([]byte, size)
		for i := range items {
			items[i] = byte(i * 7)
		}
		head, err := h.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		path, array := filepath.Join(dir, "x.npy"), filepath.Join(dir, "x.b2nd")
		file := append(head, items...)
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		if status, text := said(t, "-q", "--rm", path); status != exitDone {
			t.Fatal(text)
		}
		if status, text := said(t, "-q", "-d", array); status != exitDone {
			t.Fatal(text)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, file) {
			t.Errorf("%v: another file, or %v", h, err)
		}
		a, err := b2nd.OpenFile(array)
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int64{size, size / 2} { // the whole array at once, and in slabs
			var got bytes.Buffer
			if !h.Fortran || len(h.Shape) < 3 {
				break
			}
			if err := writeFortran(&got, a, limit); err != nil || !bytes.Equal(got.Bytes(), items) {
				t.Errorf("%v, of which %d bytes are held: other items, or %v", h, limit, err)
			}
		}
		a.Close()
	}
	dir := t.TempDir()
	path, file := filepath.Join(dir, "x.npz"), makeNPZ(t, true, "a", "b")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	if status, text := said(t, "-q", "--rm", path); status != exitDone {
		t.Fatal(text)
	}
	if status, text := said(t, "-q", "-d", filepath.Join(dir, "x")); status != exitDone {
		t.Fatal(text)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, file) {
		t.Errorf("another archive, or %v", err)
	}
}
