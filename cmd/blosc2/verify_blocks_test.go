package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// verify reports an array whose chunk has other blocks than its metalayer says, and rechunk
// repairs it.
func TestVerifyBlocks(t *testing.T) {
	desc := meta.B2ND{Shape: []int64{10000}, ChunkShape: []int32{10000}, BlockShape: []int32{2500}, DType: "<i4"}
	value, err := desc.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, c := range []struct {
		block int
		sound bool
	}{{10000, true}, {20000, false}} {
		name, repaired := filepath.Join(dir, "a.b2nd"), filepath.Join(dir, "b.b2nd")
		file, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := stream.NewWriter(file, stream.TypeSize(4), stream.ChunkSize(40000), stream.BlockSize(c.block), stream.Metalayer(meta.B2NDName, value))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(strings.Repeat("a \x00\x01", 10000))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		file.Close()
		status, _, stderr := runs(t, "verify", name)
		if sound := status == 0; sound != c.sound || !sound && !strings.Contains(stderr, "blocks of another size than those of the array in 1 chunk") {
			t.Errorf("blocks of %d bytes: %d, %s", c.block, status, stderr)
		}
		if status, _, stderr := runs(t, "rechunk", "--force", "-o", repaired, name); status != 0 {
			t.Errorf("rechunk: %s", stderr)
		}
		if status, _, stderr := runs(t, "verify", repaired); status != 0 {
			t.Errorf("repaired: %s", stderr)
		}
	}
}
