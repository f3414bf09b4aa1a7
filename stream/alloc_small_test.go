package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// allocs returns the allocations of f in all goroutines: the median over batches of
// runs, because a loaded machine occasionally starts a worker that an idle one does
// not need. Unlike testing.AllocsPerRun it does not set GOMAXPROCS to 1, with which
// no workers are used.
func allocs(f func()) float64 {
	const batches, runs = 21, 50
	for range 20 { // let reused memory grow to its final size
		f()
	}
	var means [batches]float64
	var before, after runtime.MemStats
	for i := range means {
		runtime.ReadMemStats(&before)
		for range runs {
			f()
		}
		runtime.ReadMemStats(&after)
		means[i] = float64(after.Mallocs-before.Mallocs) / runs
	}
	slices.Sort(means[:])
	return means[batches/2]
}

// A Writer and a Reader that are Reset allocate no more than twice for a stream,
// with any number of workers and on any kind of sink and source.
func TestAllocReset(t *testing.T) {
	if b2test.Race {
		t.Skip("with the race detector more is allocated")
	}
	const most = 2.1 // the runtime's own goroutines allocate now and then
	for _, workers := range []int{0, 1, 2} {
		for _, n := range []int{0, 100, 10_000, 200_000} {
			data := noise(n)
			packed := compress(t, data)
			var buf bytes.Buffer
			for what, dst := range map[string]io.Writer{"bytes.Buffer": &buf, "io.Writer": onlyWriter{&buf}} {
				w := newWriter(t, dst, stream.Workers(workers))
				if got := allocs(func() {
					buf.Reset()
					must(t, w.Reset(dst))
					_, err := w.Write(data)
					must(t, err)
					must(t, w.Close())
				}); got > most {
					t.Errorf("Writer, %d workers, %s, %d bytes: %.2f allocations", workers, what, n, got)
				}
				if !bytes.Equal(buf.Bytes(), packed) {
					t.Errorf("Writer, %d workers, %s, %d bytes: another frame", workers, what, n)
				}
			}
			readAllocs(t, "sealed", packed, data, workers, most)
			if n > 0 { // an empty stream has nothing to flush
				readAllocs(t, "unsealed", flushed(t, data, 1<<20), data, workers, most)
			}
		}
	}
}

// readAllocs counts the allocations of a Reader of packed.
func readAllocs(t *testing.T, kind string, packed, data []byte, workers int, most float64) {
	t.Helper()
	n := len(data)
	src := bytes.NewReader(packed)
	from := new(bytes.Buffer)
	out := make([]byte, n+1)
	for what, r := range map[string]io.Reader{"bytes.Reader": src, "io.Reader": onlyReader{src}, "bytes.Buffer": from} {
		zr, err := stream.NewReader(r, stream.Workers(workers))
		must(t, err)
		if got := allocs(func() {
			src.Reset(packed)
			from.Reset()
			from.Write(packed)
			must(t, zr.Reset(r))
			if k, err := io.ReadFull(zr, out); k != n || err != io.ErrUnexpectedEOF && n > 0 || err != io.EOF && n == 0 {
				t.Fatal(k, err)
			}
		}); got > most {
			t.Errorf("Reader, %d workers, %s, %s, %d bytes: %.2f allocations", workers, kind, what, n, got)
		}
		if !bytes.Equal(out[:n], data) {
			t.Errorf("Reader, %d workers, %s, %s, %d bytes: other data", workers, kind, what, n)
		}
		must(t, zr.Close())
	}
}

// Compress and Decompress allocate their result, and little else.
func TestAllocOneShot(t *testing.T) {
	if b2test.Race {
		t.Skip("with the race detector more is allocated")
	}
	for _, n := range []int{100, 10_000, 200_000} {
		data := noise(n)
		packed, err := stream.Compress(nil, data)
		must(t, err)
		var dst []byte
		for what, f := range map[string]func() error{
			"Compress":   func() (err error) { dst, err = stream.Compress(dst[:0], data); return err },
			"Decompress": func() (err error) { dst, err = stream.Decompress(dst[:0], packed); return err },
		} {
			if got := allocs(func() { must(t, f()) }); got > 2.1 {
				t.Errorf("%s of %d bytes: %.2f allocations", what, n, got)
			}
		}
	}
}

// Reset does not reuse memory that a caller may still hold.
func TestResetKeepsHeaders(t *testing.T) {
	frames := make([][]byte, 5)
	for i := range frames {
		var buf bytes.Buffer
		w := newWriter(t, &buf, stream.TypeSize(i+1), stream.Metalayer("n", []byte{byte(i), 7, 7}), stream.ChunkSize(1000*(i+1)))
		must(t, w.SetVLMeta("vl", bytes.Repeat([]byte{byte(i)}, 100)))
		_, err := w.Write(numbers(100 * (i + 1)))
		must(t, err)
		must(t, w.Close())
		frames[i] = buf.Bytes()
	}
	for _, plain := range []bool{false, true} {
		for _, workers := range []int{1, 2} {
			r, err := stream.NewReader(bytes.NewReader(nil), stream.Workers(workers))
			must(t, err)
			var check []func()
			for i, b := range frames {
				var src io.Reader = bytes.NewReader(b)
				if plain {
					src = onlyReader{src}
				}
				must(t, r.Reset(src))
				h, err := r.Header()
				must(t, err)
				value, ok := r.Metalayer("n")
				_, err = io.Copy(io.Discard, r)
				must(t, err)
				vl, _, err := r.VLMeta("vl")
				must(t, err)
				check = append(check, func() {
					if what := fmt.Sprint(int(h.TypeSize), value, ok, h.Layers[0].Value, len(h.Layers), vl[0], len(vl)); what != fmt.Sprint(i+1, []byte{byte(i), 7, 7}, true, []byte{byte(i), 7, 7}, 2, i, 100) {
						t.Errorf("plain %v, %d workers: frame %d became %s", plain, workers, i, what)
					}
				})
				for _, f := range check {
					f()
				}
			}
			must(t, r.Close())
		}
	}
}
