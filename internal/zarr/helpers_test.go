package zarr_test

import (
	"bytes"
	"io/fs"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/zarr"
	"github.com/seed03b80dae/blosc2/meta"
)

// makeArray makes an array with a part of zeros.
func makeArray(t *testing.T, shape, chunks, blocks []int64, dtype string) *b2nd.Array {
	t.Helper()
	var buf bytes.Buffer
	w, err := b2nd.NewWriter(&buf, b2nd.Spec{Shape: shape, ChunkShape: chunks, BlockShape: blocks, DType: dtype})
	if err != nil {
		t.Fatal(err)
	}
	n := int64(1)
	for _, side := range shape {
		n *= side
	}
	d, err := meta.ParseDType(dtype)
	if err != nil {
		t.Fatal(err)
	}
	items := make([]byte, n*int64(d.Size))
	for i := range items {
		if i < len(items)/2 && (d.Kind != meta.Unicode || i%4 < 2) { // characters of two bytes
			items[i] = byte(i*i>>3) & 1
		}
	}
	if _, err := w.Write(items); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := b2nd.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func mustOpen(t *testing.T, fsys fs.FS) *zarr.Array {
	t.Helper()
	a, err := zarr.Open(fsys, "g")
	if err != nil {
		t.Fatal(err)
	}
	return a
}
