package reliabilitytest

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// fileOf makes a frame of n bytes of the pattern in a file.
func fileOf(t *testing.T, n int, opts ...stream.WriterOption) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "frame")
	file, err := os.Create(path)
	must(t, err)
	w, err := stream.NewWriter(file, opts...)
	must(t, err)
	_, err = w.Write(pattern(0, n))
	must(t, errors.Join(err, w.Close(), file.Close()))
	return path
}

// A thousand goroutines read one frame, and one array, at random offsets.
func TestManyReaders(t *testing.T) {
	want := pattern(0, 1<<20)
	f, err := frame.OpenFile(fileOf(t, len(want), stream.ChunkSize(30_000), stream.BlockSize(4000), stream.TypeSize(4)))
	must(t, err)
	defer f.Close()
	b, items := array(t)
	a, err := b2nd.Open(bytes.NewReader(b), int64(len(b)))
	must(t, err)
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 3))
			for range pick(5, 100) {
				at := rng.IntN(len(want))
				p := make([]byte, 1+rng.IntN(min(len(want)-at, 50_000)))
				if _, err := f.ReadAt(p, int64(at)); err != nil && err != io.EOF || !bytes.Equal(p, want[at:at+len(p)]) {
					t.Errorf("%d bytes at %d: %v", len(p), at, err)
				}
				y := int64(rng.IntN(12))
				row := make([]byte, 40)
				if err := a.ReadSlice(row, []int64{y, 0}, []int64{y + 1, 10}); err != nil || !bytes.Equal(row, items[40*y:40*y+40]) {
					t.Errorf("row %d: %v", y, err)
				}
			}
			n := rng.Int64N(f.NumChunks())
			if c, err := f.Chunk(nil, n); err != nil || !bytes.HasPrefix(want[n*30_000:], c) {
				t.Errorf("chunk %d: %v", n, err)
			}
		})
	}
	wg.Wait()
}

// Readers that follow a file with Refresh always read a valid frame while a stream
// is continued in it, and it never becomes shorter.
func TestReadersFollow(t *testing.T) {
	path := fileOf(t, 2500, stream.ChunkSize(1000))
	w, err := stream.AppendFile(path)
	must(t, err)
	var done atomic.Bool
	var seen atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			f, err := frame.OpenFile(path)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { f.Close() }()
			for last := int64(0); ; {
				ended := done.Load()
				r, err := stream.FromFrame(f.Reader, stream.Workers(1))
				if err != nil {
					t.Error(err)
					return
				}
				got, err := io.ReadAll(r)
				if errors.Is(err, blosc2.ErrChanged) {
					err, ended, got = nil, false, pattern(0, int(last)) // continue with Refresh, and read again
				}
				if err != nil || int64(len(got)) < last || !bytes.Equal(got, pattern(0, len(got))) {
					t.Errorf("%d bytes after %d: %v", len(got), last, err)
					return
				}
				if int64(len(got)) > last {
					seen.Add(1)
				}
				last = int64(len(got))
				if ended {
					return
				}
				// A reader reads the header again if it read it while it was being
				// written.
				for try := 0; ; try++ {
					next, err := f.Refresh()
					if err == nil {
						f = next
						break
					}
					if try == 100 {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	size := 2500
	for i := range pick(40, 300) {
		_, err := w.Write(pattern(size, 700))
		must(t, err)
		size += 700
		if i%3 == 0 {
			must(t, w.Flush())
		}
		must(t, w.Checkpoint())
	}
	must(t, w.Close())
	done.Store(true)
	wg.Wait()
	t.Logf("%d checkpoints; readers saw %d longer frames", pick(40, 300), seen.Load())
}
