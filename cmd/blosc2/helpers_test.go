package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/npy"
)

// said runs the command and returns its exit status and what it wrote to standard
// error.
func said(t *testing.T, args ...string) (int, string) {
	t.Helper()
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	status := run(append([]string{"blosc2"}, args...), os.Stdin, stderr, stderr)
	text, err := os.ReadFile(stderr.Name())
	if err != nil {
		t.Fatal(err)
	}
	return status, string(text)
}

// makeNPZ returns a .npz file of arrays of six bytes each.
func makeNPZ(t *testing.T, fortran bool, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := npy.NewNPZWriter(&b, false)
	for i, name := range names {
		m, err := z.Create(name, npy.Header{DType: "|u1", Shape: []int64{2, 3}, Fortran: fortran})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Write([]byte{1, 2, 3, 4, 5, byte(6 + i)})
		if err := errors.Join(err, m.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// printed runs the program in this process. It returns the exit status, and what the
// program wrote to standard output and standard error.
func printed(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	var files [2]*os.File
	for i, name := range []string{"stdout", "stderr"} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	status = run(append([]string{"blosc2"}, args...), os.Stdin, files[0], files[1])
	var text [2]string
	for i, f := range files {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		text[i] = string(b)
	}
	return status, text[0], text[1]
}

// same reports an error unless two files are equal.
func same(t *testing.T, got, want string) {
	t.Helper()
	g, err := os.ReadFile(got)
	if err != nil {
		t.Error(err)
		return
	}
	w, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(g, w) {
		t.Errorf("%s: %d bytes, NumPy's %d:\n%.150q\n%.150q", filepath.Base(want), len(g), len(w), g, w)
	}
}

// wavBytes returns a file of 16-bit sound whose samples count up, with a chunk
// after them.
func wavBytes(channels, frames int) []byte {
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) }
	size := uint32(frames * channels * 2)
	b.WriteString("RIFF")
	put(36 + size + 12)
	b.WriteString("WAVEfmt ")
	put(uint32(16))
	put([]uint16{1, uint16(channels)})
	put([]uint32{8000, uint32(8000 * 2 * channels)})
	put([]uint16{uint16(2 * channels), 16})
	b.WriteString("data")
	put(size)
	for i := range frames * channels {
		put(int16(i))
	}
	b.WriteString("LIST")
	put(uint32(4))
	b.WriteString("INFO")
	return b.Bytes()
}

// npyBytes returns a .npy file of float32.
func npyBytes(t *testing.T, shape []int64, items []byte) []byte {
	t.Helper()
	h := npy.Header{DType: "<f4", Shape: shape}
	b, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return append(b, items...)
}

// noError fails the test if err is not nil.
func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// runs runs the program and returns its exit status and output.
func runs(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var files [3]*os.File
	for i := range files {
		f, err := os.Create(filepath.Join(t.TempDir(), "f"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	status = run(append([]string{"blosc2"}, args...), files[0], files[1], files[2])
	for i, s := range []*string{&stdout, &stderr} {
		b, err := os.ReadFile(files[i+1].Name())
		if err != nil {
			t.Fatal(err)
		}
		*s = string(b)
	}
	return status, stdout, stderr
}
