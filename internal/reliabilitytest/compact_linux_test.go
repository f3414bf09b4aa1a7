//go:build amd64

package reliabilitytest

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// variousSizes makes a frame whose chunks have various sizes.
func variousSizes(t *testing.T) []byte {
	d := newDisk(nil)
	w, err := stream.NewWriter(d, stream.ChunkSize(400), stream.TypeSize(4), stream.Workers(1), stream.VariableChunks())
	must(t, err)
	for at, n := range []int{400, 20, 600} {
		_, err := w.Write(pattern(at*1000, n))
		must(t, errors.Join(err, w.Flush()))
	}
	must(t, w.Close())
	return d.b
}

func init() {
	operations["CompactFile to one chunk size"] = operation{
		old: variousSizes,
		do:  func(dir string) error { return frame.CompactFile(filepath.Join(dir, "f"), frame.ChunkSize(400)) },
	}
	operations["SealFile to one chunk size"] = operation{
		old: variousSizes,
		do:  func(dir string) error { return frame.SealFile(filepath.Join(dir, "f"), frame.Uniform()) },
	}
	operations["ConcatFiles"] = operation{
		in: oldFrame,
		do: func(dir string) error {
			in := filepath.Join(dir, "in")
			return frame.ConcatFiles(filepath.Join(dir, "f"), []string{in, in}, frame.Uniform())
		},
	}
}
