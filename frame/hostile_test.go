package frame_test

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
)

// Every frame of the corpus that is truncated anywhere returns an error, and data read
// before it are right.
func TestCorpusTruncated(t *testing.T) {
	places, count := 12, 0
	if full {
		places = 1000
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, e := range frames(t) {
		b := e.Bytes(t)
		_, f, err := readAll(b)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		b = b[:f.FrameLen()]
		whole := full && len(b) <= 1<<16
		for i := range max(places, len(b)*b2i(whole)) {
			n := i
			if !whole {
				n = rng.IntN(len(b))
			}
			if n >= len(b) {
				break
			}
			if _, err := frame.Open(bytes.NewReader(b[:n]), int64(n)); err == nil {
				t.Errorf("%s: opened after %d of %d bytes", e.Path, n, len(b))
			}
			if got, _, err := walk(bytes.NewReader(b[:n])); err == nil {
				t.Errorf("%s: walked %d bytes after %d of %d bytes", e.Path, len(got), n, len(b))
			}
			count++
		}
	}
	t.Logf("%d cuts", count)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Frames of the corpus with bytes replaced at random are read or rejected. Memory is
// bounded.
func TestCorpusMutated(t *testing.T) {
	rounds, count, most := 4, 0, uint64(0)
	if full {
		rounds = 2000
	}
	rng := rand.New(rand.NewPCG(2, 2))
	lim := frame.Limits{Chunk: 16 << 20, Header: 1 << 20, Index: 16 << 20, Trailer: 16 << 20}
	for _, e := range frames(t) {
		b := e.Bytes(t)
		if len(b) > 1<<16 {
			continue
		}
		for range rounds {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			c := bytes.Clone(b)
			for range 1 + rng.IntN(4) {
				at := rng.IntN(len(c))
				if rng.IntN(2) == 0 {
					at = rng.IntN(min(len(c), 200)) // damage in the headers has the most effects
				}
				c[at] = [...]byte{0, 0xff, 0x7f, 0x80, byte(rng.Uint32())}[rng.IntN(5)]
			}
			if f, err := frame.Open(bytes.NewReader(c), int64(len(c)), frame.WithLimits(lim)); err == nil && f.NumChunks() < 1000 {
				var out []byte
				for n := range f.NumChunks() {
					if out, err = f.Chunk(out[:0], n); err != nil {
						break
					}
				}
				f.ReadAt(make([]byte, 50), f.Size()/2)
				f.VLMetalayers()
			}
			frame.Verify(bytes.NewReader(c), int64(len(c)), frame.WithLimits(lim))
			count++
			runtime.ReadMemStats(&after)
			n := after.TotalAlloc - before.TotalAlloc // memory that was freed counts too
			if most = max(most, n); n > 64<<20 {
				t.Fatalf("%s: %d bytes of memory", e.Path, n)
			}
		}
	}
	t.Logf("%d mutated frames, at most %d bytes of memory for one", count, most)
}
