package stream_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// If the source is in memory, Read fills the buffer with as many chunks as fit. After
// Read has returned, the Reader does not use the buffer; the race detector checks this.
func TestReadDirect(t *testing.T) {
	data := noise(1_000_000)
	copy(data[300_000:], make([]byte, 200_000))
	const size = 70_000
	for name, b := range map[string][]byte{
		"sealed":    compress(t, data, stream.ChunkSize(size), stream.TypeSize(1)),
		"unsealed":  flushed(t, data, 90_000, stream.ChunkSize(size), stream.TypeSize(1)),
		"continued": append(compress(t, data[:333_333], stream.ChunkSize(size)), compress(t, data[333_333:], stream.ChunkSize(size))...),
	} {
		for _, workers := range []int{1, 2, 4} {
			for _, n := range []int{1000, size, 3*size + 1, len(data), len(data) + size} {
				r, err := stream.NewReader(bytes.NewReader(b), stream.Workers(workers))
				must(t, err)
				var all []byte
				p := make([]byte, n)
				for {
					k, err := r.Read(p)
					all = append(all, p[:k]...)
					for i := range p {
						p[i] = 0xee
					}
					if err == io.EOF {
						break
					}
					must(t, err)
				}
				if !bytes.Equal(all, data) {
					t.Errorf("%s, %d workers, reads of %d bytes: other data", name, workers, n)
				}
			}
		}
	}
	r, err := stream.NewReader(bytes.NewReader(compress(t, data, stream.ChunkSize(size))), stream.Workers(2))
	must(t, err)
	defer r.Close()
	if n, err := r.Read(make([]byte, len(data))); n < len(data)-size || err != nil {
		t.Errorf("one Read: %d bytes, %v", n, err)
	}
}

// A damaged chunk is an error after all bytes before it.
func TestReadDirectDamaged(t *testing.T) {
	data := noise(1_000_000)
	const size = 100_000
	b := compress(t, data, stream.ChunkSize(size), stream.TypeSize(1))
	b[len(b)*55/100] ^= 1
	for _, workers := range []int{1, 2, 3} {
		r, err := stream.NewReader(bytes.NewReader(b), stream.Workers(workers))
		must(t, err)
		p := make([]byte, len(data))
		n, err := io.ReadFull(r, p)
		if n != 5*size || !errors.Is(err, blosc2.ErrChecksum) || !bytes.Equal(p[:n], data[:n]) {
			t.Errorf("%d workers: %d bytes, %v", workers, n, err)
		}
	}
}

// Decompress decodes chunks directly from src into dst, with several workers too, so it
// allocates almost nothing.
func TestDecompressDirect(t *testing.T) {
	data := noise(b2test.Fewer(16 << 20))
	copy(data[1<<20:], make([]byte, len(data)/8))
	b := compress(t, data)
	for _, workers := range []int{1, 2, 3} {
		dst := append(make([]byte, 0, len(data)+10), "before"...)
		runtime.GC()
		runtime.GC() // twice, to empty the pools of buffers
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out, err := stream.Decompress(dst, b, stream.Workers(workers))
		must(t, err)
		runtime.ReadMemStats(&after)
		if string(out[:6]) != "before" || !bytes.Equal(out[6:], data) {
			t.Fatalf("%d workers: other data", workers)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 3<<19 {
			t.Errorf("%d workers: %d bytes allocated", workers, n)
		}
		// If dst has no room for all data, it is moved while chunks are decoded.
		for _, room := range []int{0, len(data) / 3, len(data) - 1} {
			out, err := stream.Decompress(make([]byte, 0, room), append(b[:len(b):len(b)], b...), stream.Workers(workers))
			if err != nil || !bytes.Equal(out, append(data[:len(data):len(data)], data...)) {
				t.Errorf("%d workers, room for %d bytes: %d bytes, %v", workers, room, len(out), err)
			}
		}
	}
}
