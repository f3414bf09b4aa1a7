package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

// --rm does not remove an input to which data was appended while it was read.
func TestRemoveChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(name, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	b := &batch{fileFlags: &fileFlags{Remove: true}}
	process := func(rest func(dest) (stream.Stats, error)) error {
		w := &waiting{name: name}
		b.open(new(env), func(string) (bool, func(dest) (stream.Stats, error), error) { return true, rest, nil }, w)
		b.finish(w)
		return w.err
	}
	grow := func(dest) (stream.Stats, error) {
		return stream.Stats{}, os.WriteFile(name, []byte("before and after"), 0o666)
	}
	if process(grow) == nil {
		t.Error("a file that has changed would be removed")
	}
	keep := func(dest) (stream.Stats, error) { return stream.Stats{}, nil }
	if err := process(keep); err != nil {
		t.Errorf("a file that has not changed: %v", err)
	}
}

// --rm does not remove a frame that another writer has locked.
func TestRemoveLocked(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.b2frame")
	frame, err := stream.Compress(nil, []byte("some data"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, frame, 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := stream.AppendFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if status, text := said(t, "-d", "--rm", name); status != exitFailed || !strings.Contains(text, "lock") {
		t.Errorf("exit status %d: %s", status, text)
	}
	if _, err := os.Stat(name); err != nil {
		t.Error(err)
	}
}

// An input is not removed if its output is not kept in a file.
func TestRemoveNeedsFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.f8")
	if err := os.WriteFile(name, make([]byte, 800), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, text := said(t, "-q", "--rm", "-o", os.DevNull, name); status != exitFailed || !strings.Contains(text, "leave out --rm") {
		t.Errorf("exit status %d: %s", status, text)
	}
	if _, err := os.Stat(name); err != nil {
		t.Error(err)
	}
}

// A missing file is not taken for a store, whatever its name.
func TestMissingStore(t *testing.T) {
	for _, name := range []string{"a.b2d", "a.b2z", "a.b2frame"} {
		if status, text := said(t, "-d", filepath.Join(t.TempDir(), name)); status != exitFailed || !strings.Contains(text, "no such file") {
			t.Errorf("%s: exit status %d: %s", name, status, text)
		}
	}
}
