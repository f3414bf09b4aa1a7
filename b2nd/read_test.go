package b2nd

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/stream"
)

// Several workers return the same items as one, from many chunks and from the blocks of a
// single chunk, even if blocks depend on each other (delta).
func TestWorkers(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := rand.New(rand.NewPCG(11, 12))
	data := make([]byte, 600*700*4)
	for i := range data {
		data[i] = byte(i>>5) * byte(i%4)
	}
	g, err := newGrid([]int64{600, 700}, []int32{600, 700}, []int32{1, 1}, 4) // grid for naiveWindow
	if err != nil {
		t.Fatal(err)
	}
	for _, chunk := range [][]int64{{600, 700}, {100, 150}, {599, 700}} {
		for _, text := range []string{"shuffle", "delta,shuffle"} {
			f, err := filters.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			var buf bytes.Buffer
			w, err := NewWriter(&buf, Spec{Shape: []int64{600, 700}, DType: "<f4", ChunkShape: chunk, BlockShape: []int64{20, 50}}, stream.Filters(f))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(data); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			a, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()), Workers(8))
			if err != nil {
				t.Fatal(err)
			}
			a.cfg.workers = 8 // regardless of the machine's processors
			for range 10 {
				win := All(a.Shape())
				for d := range win {
					win[d].Start = r.Int64N(100)
					win[d].Step = 1 + r.Int64N(2)
				}
				want := naiveWindow(g, data, win)
				got := make([]byte, len(want))
				if err := a.ReadWindow(got, win); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Fatalf("chunks of %v, %s: window %v differs", chunk, text, win)
				}
			}
			// An error in one chunk ends all workers.
			bad := bytes.Clone(buf.Bytes())
			for i := len(bad) / 3; i < len(bad)/3+2000; i++ {
				bad[i] ^= 0xA5
			}
			if a, err := Open(bytes.NewReader(bad), int64(len(bad))); err == nil {
				a.cfg.workers = 8
				if _, err := a.ReadAll(); err == nil {
					t.Errorf("chunks of %v, %s: damage was not noticed", chunk, text)
				}
			}
		}
	}
}
