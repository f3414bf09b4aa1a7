package npy

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

func makeNPZ(t *testing.T, compress bool) []byte {
	t.Helper()
	var b bytes.Buffer
	z := NewNPZWriter(&b, compress)
	for _, a := range npzArrays {
		w, err := z.Create(a.name, a.header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, a.items); err != nil {
			t.Fatal(err)
		}
		if _, err := z.Create("another", a.header); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("Create before Close: %v", err)
		}
		if err := z.Close(); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("Close before the member's: %v", err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := z.Create(npzArrays[0].name, npzArrays[0].header); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("the same name again: %v", err)
	}
	for range 2 {
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := z.Create("late", npzArrays[0].header); err != blosc2.ErrClosed {
		t.Errorf("Create after Close: %v", err)
	}
	return b.Bytes()
}

func TestNPZRoundTrip(t *testing.T) {
	for _, compress := range []bool{false, true} {
		checkNPZ(t, makeNPZ(t, compress))
	}
}

func TestDamagedNPZ(t *testing.T) {
	whole := makeNPZ(t, false)
	if _, err := OpenNPZ(bytes.NewReader(whole), int64(len(whole)-1)); !errors.Is(err, blosc2.ErrCorrupt) {
		t.Errorf("cut: %v", err)
	}
	read := func(file []byte, name string) error {
		z, err := OpenNPZ(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return err
		}
		m, err := z.Open(name)
		if err != nil {
			return err
		}
		defer m.Close()
		_, err = io.ReadAll(m)
		return err
	}
	damaged := bytes.Clone(whole)
	damaged[bytes.Index(damaged, []byte("abc"))] ^= 1
	if err := read(damaged, "sub/text"); !errors.Is(err, blosc2.ErrChecksum) {
		t.Errorf("damaged item: %v", err)
	}
	if err := read(whole, "none"); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("no such member: %v", err)
	}

	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range map[string]string{"readme.txt": "no array", "bad.npy": "no array either"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := read(b.Bytes(), "bad"); !errors.Is(err, blosc2.ErrCorrupt) {
		t.Errorf("no array: %v", err)
	}
	if err := read(b.Bytes(), "readme.txt"); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("no .npy: %v", err)
	}
}

// Compressed is true for files of savez_compressed, and false for those of savez.
func TestNPZCompressed(t *testing.T) {
	for _, compress := range []bool{false, true} {
		var b bytes.Buffer
		w := NewNPZWriter(&b, compress)
		m, err := w.Create("a", Header{DType: "|u1", Shape: []int64{100}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Write(make([]byte, 100))
		if err := errors.Join(err, m.Close(), w.Close()); err != nil {
			t.Fatal(err)
		}
		z, err := OpenNPZ(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil || z.Compressed() != compress {
			t.Errorf("compress %v: %v, %v", compress, z.Compressed(), err)
		}
	}
}
