package undo_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/undo"
)

// create returns a new file, open for changing, with the given bytes.
func create(t *testing.T, name string, b []byte) *os.File {
	t.Helper()
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// After any changes the file is as these make it, and after Undo as it was.
func TestFile(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	name := filepath.Join(t.TempDir(), "file")
	for range 300 {
		before := random(r.IntN(100))
		file := create(t, name, before)
		f, err := undo.New(file)
		if err != nil || f.Size() != int64(len(before)) {
			t.Fatalf("size %d, want %d, %v", f.Size(), len(before), err)
		}
		want := bytes.Clone(before)
		for range r.IntN(12) {
			at := r.IntN(120)
			if r.IntN(4) == 0 {
				if err := f.Truncate(int64(at)); err != nil {
					t.Fatal(err)
				}
				want = append(want, make([]byte, 120)...)[:at]
				continue
			}
			b := random(r.IntN(30))
			if n, err := f.WriteAt(b, int64(at)); n != len(b) || err != nil {
				t.Fatal(n, err)
			}
			if n := at + len(b); len(b) > 0 && n > len(want) {
				want = append(want, make([]byte, n-len(want))...)
			}
			copy(want[min(at, len(want)):], b)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("changed: %x, want %x, %v", got, want, err)
		}
		if err := errors.Join(f.Undo(), f.Undo()); err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt([]byte{1}, 0); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("a change after Undo: %v", err)
		}
		if err := f.Truncate(1); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("a change after Undo: %v", err)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, before) {
			t.Fatalf("undone: %x, want %x, %v", got, before, err)
		}
		file.Close()
	}
}

// What is too large to be kept cannot be undone.
func TestLarge(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(undo.Most + 2); err != nil {
		t.Fatal(err)
	}
	f, err := undo.New(file)
	if err == nil {
		err = f.Truncate(1)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Undo(); err != undo.ErrLarge {
		t.Errorf("got %v", err)
	}
	if info, err := file.Stat(); err != nil || info.Size() != 1 {
		t.Errorf("%d bytes, want 1, %v", info.Size(), err)
	}
}

// Undo may be called while the file changes. Changes after it fail.
func TestUndoMeanwhile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	before := bytes.Repeat([]byte("before"), 1000)
	for range 100 {
		file := create(t, name, before)
		f, err := undo.New(file)
		if err != nil {
			t.Fatal(err)
		}
		failed := make(chan error)
		go func() {
			var err error
			for i := int64(0); err == nil; i = (i + 999) % 20000 {
				_, err = f.WriteAt([]byte("after"), i)
				err = errors.Join(err, f.Sync())
			}
			failed <- err
		}()
		err = f.Undo()
		if ended := <-failed; err != nil || !errors.Is(ended, fs.ErrClosed) {
			t.Errorf("undo: %v; writing: %v", err, ended)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, before) {
			t.Fatalf("%d bytes, want %d, or others: %v", len(got), len(before), err)
		}
		file.Close()
	}
}
