package b2nd

import (
	"bytes"
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

// peak returns the most memory in use at any call of measure.
func peak(each func(measure func())) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // collect often, so that there is little garbage
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, most := m.HeapAlloc, m.HeapAlloc
	each(func() {
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	})
	return most - before
}

// The Writer of an array of any length holds a slab and what the stream may hold:
// (workers + 2) chunks with their compressed bound, and scratch memory.
func TestWriterMemory(t *testing.T) {
	const slab, chunk = 8 << 20, 1 << 20
	total := 256 << 20
	if testing.Short() {
		total = 64 << 20
	}
	for _, workers := range []int{1, 2} {
		spec := Spec{Shape: []int64{Unknown, 8192}, DType: "<f4", ChunkShape: []int64{256, 1024}, BlockShape: []int64{16, 512}}
		piece := make([]byte, 100_000)
		for i := range piece {
			piece[i] = byte(i >> 6 * i)
		}
		used := peak(func(measure func()) {
			w, err := NewWriter(struct{ io.Writer }{io.Discard}, spec, stream.Workers(workers))
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at < total; {
				n := min(len(piece), total-at)
				if _, err := w.Write(piece[:n]); err != nil {
					t.Fatal(err)
				}
				if at += n; at/len(piece)%20 == 0 {
					measure()
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			measure()
		})
		// The last term is for bytes that are held for a sink that cannot be
		// patched, and for garbage.
		bound := uint64(slab + (workers+2)*2*chunk + workers*(4<<20) + 16<<20)
		t.Logf("%d workers: %d MiB written with %.1f MiB, bound %.1f MiB", workers, total>>20, float64(used)/(1<<20), float64(bound)/(1<<20))
		if used > bound {
			t.Errorf("%d workers: %d bytes in use, more than %d", workers, used, bound)
		}
	}
}

// Reading one block of a large chunk does not allocate memory for the chunk.
func TestBlockMemory(t *testing.T) {
	data := make([]byte, 64<<20)
	for i := range data {
		data[i] = byte(i >> 4 * i)
	}
	a := written(t, Spec{Shape: []int64{64 << 20}, DType: "|u1", ChunkShape: []int64{64 << 20}, BlockShape: []int64{64 << 10}}, data, stream.Spool(1<<30), stream.Memory(1<<30))
	got := make([]byte, 100)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := a.ReadSlice(got, []int64{12_345_678}, []int64{12_345_778}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if !bytes.Equal(got, data[12_345_678:12_345_778]) {
		t.Error("other items")
	}
	used := after.TotalAlloc - before.TotalAlloc
	t.Logf("%d bytes allocated for a block of 64 KiB", used)
	if used > 1<<20 {
		t.Errorf("%d bytes were allocated for a block of 64 KiB", used)
	}
}
