package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

// --rm keeps an input to which more was written while it was read.
func TestRemoveChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(name, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	b := &batch{fileFlags: &fileFlags{Remove: true}}
	grow := func(in string, _ dest) (stream.Stats, error) {
		return stream.Stats{}, os.WriteFile(in, []byte("before and after"), 0o666)
	}
	if _, err := b.work(new(env), grow, name, ""); err == nil {
		t.Error("a file that has changed would be removed")
	}
	keep := func(string, dest) (stream.Stats, error) { return stream.Stats{}, nil }
	if _, err := b.work(new(env), keep, name, ""); err != nil {
		t.Errorf("a file that has not changed: %v", err)
	}
}
