package main

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// A .npz file becomes a folder with an array for each member.
func TestArchive(t *testing.T) {
	for _, fortran := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "some.npz")
		if err := os.WriteFile(path, makeNPZ(t, fortran, "a", "deep/b"), 0o644); err != nil {
			t.Fatal(err)
		}
		want := []byte{1, 2, 3, 4, 5, 6}
		if fortran {
			want = []byte{1, 3, 5, 2, 4, 6}
		}
		if status, text := said(t, "compress", path); status != exitDone || strings.Count(text, "\n") != 2 {
			t.Errorf("exit status %d: %s", status, text)
		}
		for i, name := range []string{"a", "deep/b"} {
			a, err := b2nd.OpenFile(filepath.Join(dir, "some", name+".b2nd"))
			if err != nil {
				t.Fatal(err)
			}
			want[5] = byte(6 + i)
			if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, want) || len(a.Shape()) != 2 {
				t.Errorf("%s: %v of shape %v, %v", name, got, a.Shape(), err)
			}
			a.Close()
		}
		if status, text := said(t, "compress", path); status != exitFailed || text != "blosc2: "+filepath.Join(dir, "some")+": already exists; use --force to overwrite it\n" {
			t.Errorf("again: exit status %d: %s", status, text)
		}
	}
}

// Names that lead out of the folder, damaged files and other files are errors.
func TestArchiveFails(t *testing.T) {
	good := makeNPZ(t, false, "a", "b")
	damaged := bytes.Clone(good)
	damaged[bytes.Index(damaged, []byte{1, 2, 3, 4, 5, 6})] ^= 1
	fortran := makeNPZ(t, true, "a", "b")
	fortran[bytes.Index(fortran, []byte{1, 2, 3, 4, 5, 6})] ^= 1
	for name, c := range map[string]struct {
		file []byte
		text string
		made string // the output that exists in spite of the error
	}{
		"outside":  {makeNPZ(t, false, "../a", "b"), "not a valid file name", "b.b2nd"},
		"absolute": {makeNPZ(t, false, "/a", "b"), "not a valid file name", "b.b2nd"},
		"damaged":  {damaged, "damaged.npz(a): ", "b.b2nd"},
		"fortran":  {fortran, "fortran.npz(a): ", "b.b2nd"},
		"empty":    {makeNPZ(t, false), "holds no arrays", ""},
		"none":     {[]byte("none"), "none.npz: ", ""},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "sub", name+".npz")
		if err := errors.Join(os.Mkdir(filepath.Join(dir, "sub"), 0o755), os.WriteFile(path, c.file, 0o644)); err != nil {
			t.Fatal(err)
		}
		status, text := said(t, "-q", "compress", path)
		if status != exitFailed || !strings.Contains(text, c.text) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: exit status %d: %s", name, status, text)
		}
		made, err := filepath.Glob(filepath.Join(dir, "*.b2nd"))
		inside, err2 := filepath.Glob(filepath.Join(dir, "sub", name, "*"))
		if err := errors.Join(err, err2); err != nil || len(made) > 0 || len(inside) > 1 || c.made != "" && (len(inside) == 0 || filepath.Base(inside[0]) != c.made) {
			t.Errorf("%s: made %v and %v, %v", name, made, inside, err)
		}
	}
	if status, _ := said(t, "compress", "-o", "-", "x.npz"); status != exitFailed {
		t.Errorf("a file that is not there: exit status %d", status)
	}
}

// After repair a growing array whose writer died has all complete slabs, and its
// header has the shape for all readers.
func TestRepairGrowing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "torn")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, err := b2nd.NewWriter(struct{ io.Writer }{file}, b2nd.Spec{Shape: []int64{b2nd.Unknown, 5}, DType: "<u2", ChunkShape: []int64{4, 5}, BlockShape: []int64{4, 5}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 11))
	if err := errors.Join(err, w.Flush()); err != nil {
		t.Fatal(err)
	}
	if status, text := said(t, "repair", "-o", path+".b2nd", path); status != exitPartly || !strings.Contains(text, "it now has 8 rows") {
		t.Errorf("exit status %d: %s", status, text)
	}
	if status, text := said(t, "info", path+".b2nd"); status != exitDone || !strings.Contains(text, "8 × 5") || strings.Contains(text, "vlmetalayer") {
		t.Errorf("exit status %d: %s", status, text)
	}
	if status, text := said(t, "verify", path+".b2nd"); status != exitDone {
		t.Errorf("exit status %d: %s", status, text)
	}
}

// repair treats a file with several frames like a file with one.
func TestRepairSequence(t *testing.T) {
	dir := t.TempDir()
	raw, path := filepath.Join(dir, "data"), filepath.Join(dir, "three")
	// Random data is stored uncompressed, so the chunks are most of a frame.
	noise := make([]byte, 32000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	if err := os.WriteFile(raw, noise, 0o666); err != nil {
		t.Fatal(err)
	}
	if status, text := said(t, "compress", "--chunk", "8K", raw); status != 0 {
		t.Fatal(text)
	}
	one, err := os.ReadFile(raw + ".b2frame")
	if err != nil {
		t.Fatal(err)
	}
	three := bytes.Repeat(one, 3)
	three[len(one)+len(one)/2] ^= 1 // in a chunk of the second frame
	if err := os.WriteFile(path, three, 0o666); err != nil {
		t.Fatal(err)
	}
	if status, text := said(t, "repair", "-o", path+".out", path); status != exitPartly || !strings.Contains(text, "is lost") {
		t.Errorf("status %d: %s", status, text)
	}
	if status, text := said(t, "verify", path+".out"); status != 0 || !strings.Contains(text, "3 frames") {
		t.Errorf("status %d: %s", status, text)
	}
}
