package b2nd

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

// A flipped bit in stored bytes, which no codec would detect, is detected when the
// whole array is read, with one worker and with several.
func TestWholeReadsAreChecked(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef"), 64<<10)
	for _, chunk := range []int64{1 << 20, 1 << 18} {
		var buf bytes.Buffer
		w, err := NewWriter(&buf, Spec{Shape: []int64{1 << 20}, DType: "|u1", ChunkShape: []int64{chunk}, BlockShape: []int64{1 << 14}}, stream.Level(0))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		bad := bytes.Clone(buf.Bytes())
		bad[len(bad)/2] ^= 4
		for _, workers := range []int{1, 2, 8} {
			a, err := Open(bytes.NewReader(bad), int64(len(bad)))
			if err != nil {
				t.Fatal(err)
			}
			a.cfg.workers = workers
			if _, err := a.ReadAll(); err == nil {
				t.Errorf("chunks of %d, %d workers: a flipped bit was not noticed", chunk, workers)
			}
		}
	}
}
