package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// The room that a writer leaves in an open frame is a hole, which is not stored.
func TestInfoOpenFrame(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.b2frame")
	w, err := stream.CreateFile(name, stream.TypeSize(8))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort(nil)
	for _, n := range []int{2_400_000, 8} {
		if _, err = w.Write(make([]byte, n)); err == nil {
			err = w.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	taken := withoutHoles(info)
	if info.Size() < 1<<20 || taken >= info.Size() {
		b2test.Missing(t, "a file system with holes for temporary files")
	}
	d, err := new(infoCmd).describe(&env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}, name)
	if err != nil {
		t.Fatal(err)
	}
	if !d.Open || d.stored != taken || d.Ratio != float64(d.NBytes)/float64(taken) || d.Trailing != 0 {
		t.Errorf("open %v, %d bytes stored, %d after them, ratio %v; %d are on disk", d.Open, d.stored, d.Trailing, d.Ratio, taken)
	}
}
