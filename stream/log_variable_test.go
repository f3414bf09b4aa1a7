package stream_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A chunk that is flushed after a sealed frame of variable chunk size does not overwrite
// the frame's tail before the tail has been moved.
func TestVariableChunksAfterSealed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	var all []byte
	src := newLogger()
	for _, n := range []int{140, 62, 31, 5000, 1, 20_000} {
		w, err := stream.AppendFile(path, stream.VariableChunks())
		must(t, err)
		at := len(all)
		all = src.append(all, n)
		_, err = w.Write(all[at:])
		must(t, err)
		must(t, w.Flush())
		f, err := frame.OpenFile(path, frame.AllowTorn())
		must(t, err)
		got := make([]byte, len(all))
		if n, err := f.ReadAt(got, 0); n < len(all) || !bytes.Equal(got, all) {
			t.Fatalf("flushed: %d of %d bytes: %v", n, len(all), err)
		}
		must(t, f.Close())
		must(t, w.Close())
		check(t, "closed", mustRead(t, path), all)
	}
}
