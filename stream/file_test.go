package stream_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// With invalid options neither a file nor the sidecar of a lock remains, and no empty
// file remains if the lock is held.
func TestNoEmptyFile(t *testing.T) {
	for name, open := range map[string]func(string, ...stream.WriterOption) (*stream.FileWriter, error){
		"CreateFile": stream.CreateFile, "AppendFile": stream.AppendFile,
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "f.b2frame")
		for _, o := range []stream.WriterOption{stream.Level(12), stream.TypeSize(0), stream.ChunkSize(-1)} {
			if w, err := open(path, o); err == nil {
				w.Close()
				continue
			}
			entries, err := os.ReadDir(dir)
			must(t, err)
			if len(entries) > 0 {
				t.Errorf("%s left %s", name, entries[0].Name())
			}
		}
		must(t, os.WriteFile(path, nil, 0o666))
		unlock, err := frame.LockFile(path)
		must(t, err)
		must(t, os.Remove(path))
		if _, err := open(path, stream.LockWait(0)); !errors.Is(err, blosc2.ErrLocked) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s made the file without the lock", name)
		}
		must(t, unlock())
	}
}

// A FileWriter and a FileReader cannot be reset to another file.
func TestResetOfFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.b2frame")
	w, err := stream.CreateFile(path)
	must(t, err)
	data := numbers(1000)
	_, err = w.Write(data)
	must(t, err)
	var other bytes.Buffer
	if err := errors.Join(w.Reset(&other), w.Writer.ResetContext(t.Context(), &other)); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	must(t, w.Close())
	r, err := stream.OpenFile(path)
	must(t, err)
	if err := r.Reset(strings.NewReader("")); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	got, err := io.ReadAll(r)
	must(t, errors.Join(err, r.Close()))
	if !bytes.Equal(got, data) || other.Len() > 0 {
		t.Errorf("%d bytes of %d, %d elsewhere", len(got), len(data), other.Len())
	}
}

// Whether a frame has checks is fixed when it is created. Append accepts the same option,
// and returns an error for the opposite one.
func TestAppendChecks(t *testing.T) {
	for _, checks := range []bool{true, false} {
		for _, n := range []int{0, 100} {
			path := filepath.Join(t.TempDir(), "f.b2frame")
			for range 3 { // a program that starts repeatedly
				w, err := stream.AppendFile(path, stream.Checks(checks))
				must(t, err)
				_, err = w.Write(numbers(n))
				must(t, errors.Join(err, w.Close()))
			}
			var oe *blosc2.OptionError
			if w, err := stream.AppendFile(path, stream.Checks(!checks)); !errors.As(err, &oe) {
				t.Errorf("%v with %d bytes: %v", checks, n, err)
				w.Close()
			}
		}
	}
}

// Close returns an error if it cuts off a Write.
func TestConnCloseCutsWrite(t *testing.T) {
	rawA, rawB := net.Pipe()
	defer rawB.Close()
	c, err := stream.NewConn(rawA)
	must(t, err)
	wrote := make(chan error)
	go func() {
		_, err := c.Write(numbers(1000))
		wrote <- err
	}()
	if _, err := rawB.Read(make([]byte, 1)); err != nil { // wait until the Write has begun and is blocked
		t.Fatal(err)
	}
	if err := c.Close(); err == nil {
		t.Error("no error")
	}
	if err := <-wrote; err == nil {
		t.Error("the Write has no error")
	}
}
