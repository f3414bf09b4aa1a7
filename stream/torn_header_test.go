package stream_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/stream"
)

// A halfWritten is a source with a header that is half old and half new for the
// first few reads.
type halfWritten struct {
	io.ReaderAt
	head  []byte
	reads int // remaining reads that return the mixed header
}

func (h *halfWritten) ReadAt(p []byte, off int64) (int, error) {
	n, err := h.ReaderAt.ReadAt(p, off)
	if off == 0 && h.reads > 0 {
		h.reads--
		copy(p[:n], h.head)
	}
	return n, err
}

// A header that is read while its writer replaces it does not make flushed data
// disappear.
func TestHeaderHalfWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.b2frame")
	w, err := stream.AppendFile(path, stream.ChunkSize(2000))
	must(t, err)
	defer w.Close()
	snapshot := func() []byte {
		b, err := os.ReadFile(path)
		must(t, err)
		return b
	}
	data := numbers(700)
	var states [][]byte
	for _, end := range []int{544, 575, 700} {
		_, err = w.Write(data[w.Stats().Bytes:end])
		must(t, err)
		must(t, w.Flush())
		states = append(states, snapshot())
		must(t, w.Checkpoint())
		states = append(states, snapshot())
	}
	for i := 0; i+1 < len(states); i += 2 { // a Checkpoint is between these two states
		old, now := states[i], states[i+1]
		before, err := frame.Open(bytes.NewReader(old), int64(len(old)), frame.AllowTorn())
		must(t, err)
		n := len(before.RawHeader()) + framing.RecordLen
		for cut := range n + 1 {
			for name, head := range map[string][]byte{
				"new, old": append(bytes.Clone(now[:cut]), old[cut:n]...),
				"old, new": append(bytes.Clone(old[:cut]), now[cut:n]...),
			} {
				for reads := 1; reads <= 2; reads++ {
					f, err := frame.Open(&halfWritten{bytes.NewReader(now), head, reads}, int64(len(now)), frame.AllowTorn())
					if err == nil && f.Size() < before.Size() {
						t.Errorf("state %d, %s at %d, read %d times: %d bytes, %d were flushed", i, name, cut, reads, f.Size(), before.Size())
					}
					if err != nil && reads == 1 {
						t.Errorf("state %d, %s at %d: %v", i, name, cut, err)
					}
				}
			}
		}
	}
}
