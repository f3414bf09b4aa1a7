package b2nd_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newRecords() *records {
	return &records{rng: rand.New(rand.NewPCG(1, 2)), time: 1_790_000_000, value: 20}
}

// readsAs checks that this package and the libraries read data from the file.
func readsAs(t *testing.T, libs []b2test.Library, path string, data []byte) {
	t.Helper()
	a, err := b2nd.OpenFile(path)
	must(t, err)
	defer a.Close()
	if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%d bytes of %d: %v", len(got), len(data), err)
	}
	for _, lib := range libs {
		if got, err := lib.Decode(t, "read-b2nd", path); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("library %d reads %d bytes of %d: %v", lib.Major, len(got), len(data), err)
		}
	}
}

// die ends a Writer like the death of its process: the file is not changed.
func die(t testing.TB, w *b2nd.FileWriter) {
	t.Helper()
	if err := w.Abort(nil); !errors.Is(err, blosc2.ErrClosed) {
		t.Fatal(err)
	}
}

// layouts holds arrays in which the rows of a chunk are consecutive, and others.
var layouts = map[string]b2nd.Spec{
	"flat":   {Shape: []int64{b2nd.Unknown, 2}, ItemSize: 8, ChunkShape: []int64{64, 2}, BlockShape: []int64{16, 2}},
	"blocks": {Shape: []int64{b2nd.Unknown, 4}, ItemSize: 4, ChunkShape: []int64{64, 4}, BlockShape: []int64{16, 2}},
	"chunks": {Shape: []int64{b2nd.Unknown, 4}, ItemSize: 4, ChunkShape: []int64{64, 2}, BlockShape: []int64{16, 2}},
}

const rowLen = 16 // bytes of a row in any of them

// records makes rows of 16 bytes like those of a logger: a time and a drifting
// value, both float64.
type records struct {
	rng         *rand.Rand
	time, value float64
}

func (r *records) append(b []byte, n int) []byte {
	for range n {
		r.time += 0.125
		if r.rng.IntN(4) == 0 {
			r.value += float64(r.rng.IntN(5)-2) / 10
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(r.time))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(math.Round(r.value*10)/10))
	}
	return b
}
