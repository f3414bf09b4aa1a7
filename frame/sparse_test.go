package frame_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// readDir reads a sparse frame.
func readDir(dir string) ([]byte, *frame.FileReader, error) {
	f, err := frame.OpenFile(dir)
	if err != nil {
		return nil, nil, err
	}
	data, err := payload(f.Reader)
	return data, f, err
}

// A sparse frame is written and appended to by this library and C-Blosc2 in turn.
func TestSparse(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		dir := filepath.Join(t.TempDir(), "s.b2frame")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		h := &header.Header{TypeSize: 4, ChunkSize: 1000, Codec: blosc2.CodecLZ4, Level: 5, Filters: filters.Default(), Layers: []meta.Layer{{Name: "mine", Value: []byte("xyz")}}}
		s, err := frame.CreateSparse(frame.OSDir(dir), h)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.SetVLMeta("note", []byte("hello")), s.Commit()); err != nil {
			t.Fatal(err)
		}
		if got, f, err := readDir(dir); err != nil || len(got) != 0 || f.Header().Type != header.Directory {
			t.Errorf("empty: %d bytes, %v", len(got), err)
		}
		data := ramp(2700)
		if err := errors.Join(s.Append(data), s.Commit()); err != nil {
			t.Fatal(err)
		}
		check := func(what string) {
			t.Helper()
			if got, _, err := readDir(dir); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%v, %s: %d bytes, want %d: %v", lib, what, len(got), len(data), err)
			}
			if got, err := lib.Decode(t, "read-frame", dir); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%v, %s: it reads %d bytes, want %d: %v", lib, what, len(got), len(data), err)
			}
		}
		check("written")
		if s, err = frame.EditSparse(frame.OSDir(dir)); err != nil {
			t.Fatal(err)
		}
		more := ramp(1300)
		data = append(data, more...)
		if err := errors.Join(s.Append(more), s.Commit()); err != nil {
			t.Fatal(err)
		}
		check("appended")
		lib.Run(t, "edit-frame", "--codec", "lz4", "--typesize", "4", "--append", "file:"+write(t, data[:1000]), dir)
		data = append(data, data[:1000]...)
		check("appended by C")
		if s, err = frame.EditSparse(frame.OSDir(dir)); err != nil {
			t.Fatal(err)
		}
		data = append(data, "abcd"...)
		if err := errors.Join(s.Append([]byte("abcd")), s.Commit()); err != nil {
			t.Fatal(err)
		}
		check("appended again")
		_, f, err := readDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok, err := f.VLMeta("note"); !ok || err != nil || string(v) != "hello" {
			t.Errorf("vlmetalayer %q, %v", v, err)
		}
		if rep, err := f.Verify(); err != nil || !rep.Sound() {
			t.Errorf("verify: %+v, %v", rep, err)
		}
	}
}

// Errors name missing and surplus files.
func TestSparseFiles(t *testing.T) {
	make1 := func() string {
		dir := t.TempDir()
		s, err := frame.CreateSparse(frame.OSDir(dir), &header.Header{TypeSize: 4, ChunkSize: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Append(ramp(2500)), s.Commit()); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	wants := func(dir, name string) {
		t.Helper()
		_, err := frame.OpenFile(dir)
		var fe *blosc2.FormatError
		if !errors.As(err, &fe) || !errors.Is(err, blosc2.ErrCorrupt) || fe.Part != blosc2.PartDirectory || !strings.Contains(err.Error(), name) {
			t.Errorf("%v; want an error about %s", err, name)
		}
	}
	dir := make1()
	os.Remove(filepath.Join(dir, "00000001.chunk"))
	wants(dir, "00000001.chunk")
	dir = make1()
	os.WriteFile(filepath.Join(dir, "0000000A.chunk"), []byte("more"), 0o666)
	wants(dir, "0000000A.chunk")
	if _, err := frame.EditSparse(frame.OSDir(dir)); err != nil {
		t.Error(err)
	}
	if got, _, err := readDir(dir); err != nil || !bytes.Equal(got, ramp(2500)) {
		t.Errorf("after removal: %d bytes, %v", len(got), err)
	}
	os.Remove(filepath.Join(dir, "chunks.b2frame"))
	wants(dir, "chunks.b2frame")
	if _, err := frame.CreateSparse(frame.OSDir(dir), &header.Header{TypeSize: 4, ChunkSize: 1000}); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("created in a directory that is not empty: %v", err)
	}
}

// Bytes after a chunk in its file are counted, and are not a fault.
func TestSparseAfter(t *testing.T) {
	dir := t.TempDir()
	s, err := frame.CreateSparse(frame.OSDir(dir), &header.Header{TypeSize: 4, ChunkSize: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Append(ramp(2500)), s.Commit()); err != nil {
		t.Fatal(err)
	}
	for want := range int64(3) {
		_, f, err := readDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if rep, err := f.Verify(); err != nil || !rep.Sound() || rep.Trailing != want {
			t.Errorf("%+v, %v; want %d bytes after the chunks", rep, err, want)
		}
		name := filepath.Join(dir, "00000001.chunk")
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, append(b, 1), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
