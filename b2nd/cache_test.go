package b2nd

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// grid2D returns the frame of a 2-D array of float64 whose items count up.
func grid2D(t testing.TB, rows, columns int64, opts ...stream.WriterOption) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := NewWriter(&buf, Spec{Shape: []int64{rows, columns}, DType: "<f8", ChunkShape: []int64{256, columns}, BlockShape: []int64{32, columns}}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, columns)
	for i := range rows {
		for j := range row {
			row[j] = float64(i*columns + int64(j))
		}
		if _, err := WriteSlice(w, row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// A counting counts the reads of a source.
type counting struct {
	io.ReaderAt
	n atomic.Int64
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.n.Add(1)
	return c.ReaderAt.ReadAt(p, off)
}

// Recently read blocks are not fetched again, large windows bypass the cache, and a cache
// of 0 bytes holds nothing.
func TestCache(t *testing.T) {
	b := grid2D(t, 1024, 64)
	for _, limit := range []int64{0, 100 << 10, DefaultCache} {
		src := &counting{ReaderAt: bytes.NewReader(b)}
		a, err := Open(src, int64(len(b)), Cache(limit))
		if err != nil {
			t.Fatal(err)
		}
		reads := func(f func()) int64 {
			before := src.n.Load()
			f()
			return src.n.Load() - before
		}
		loop := func() {
			for i := range int64(64) {
				if v, err := At[float64](a, i, 5); err != nil || v != float64(i*64+5) {
					t.Fatal(v, err)
				}
			}
		}
		first, second := reads(loop), reads(loop)
		if limit == 0 && second != first || limit > 0 && (first > 4 || second != 0) {
			t.Errorf("cache of %d: %d reads, then %d", limit, first, second)
		}
		large := reads(func() {
			if _, err := a.ReadAll(); err != nil {
				t.Fatal(err)
			}
		})
		if again := reads(loop); large == 0 || limit > 0 && again != 0 {
			t.Errorf("cache of %d: %d reads of all, then %d", limit, large, again)
		}
	}
}

// A cache that is too small for the blocks read returns the right items to many
// goroutines, and so does one that several arrays and ReadAt share.
func TestCacheShared(t *testing.T) {
	b := grid2D(t, 1024, 64)
	shared := frame.NewBlockCache(200 << 10) // holds a dozen of the 64 blocks
	var wg sync.WaitGroup
	for seed := range uint64(8) {
		opts := []Option{Cache(70 << 10)}
		if seed%2 == 0 {
			opts = []Option{FrameOptions(frame.UseCache(shared))}
		}
		a, err := Open(bytes.NewReader(b), int64(len(b)), opts...)
		if err != nil {
			t.Fatal(err)
		}
		for worker := range uint64(2) {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(seed, worker))
				p := make([]byte, 40000)
				for range 400 {
					i, j := r.Int64N(1024), r.Int64N(64)
					if v, err := At[float64](a, i, j); err != nil || v != float64(i*64+j) {
						t.Errorf("item %d, %d: %v, %v", i, j, v, err)
						return
					}
					w := Window{{i, min(i+40, 1024), 0, false}, {j, j + 1, 0, true}}
					if column, err := Read[float64](a, w); err != nil || column[len(column)-1] != float64((i+int64(len(column))-1)*64+j) {
						t.Errorf("column %v: %v", w, err)
						return
					}
					n := 1 + r.IntN(len(p))
					off := r.Int64N(a.Frame().Size() - int64(n))
					if _, err := a.Frame().ReadAt(p[:n], off); err != nil {
						t.Error(err)
						return
					}
					if want := rowMajor(off, n); !bytes.Equal(p[:n], want) {
						t.Errorf("ReadAt of %d at %d: other bytes", n, off)
						return
					}
				}
			})
		}
	}
	wg.Wait()
}

// rowMajor makes the bytes of the array of grid2D, with blocks of whole rows.
func rowMajor(off int64, n int) []byte {
	first := off / 8
	s := make([]float64, n/8+2)
	for i := range s {
		s[i] = float64(first + int64(i))
	}
	return floatBytes(s)[off%8:][:n]
}

// BenchmarkAt measures a loop of reads of single items: along a row, down a column,
// and at random.
func BenchmarkAt(b *testing.B) {
	const rows, columns = 4096, 1024
	file := grid2D(b, rows, columns)
	for _, limit := range []int64{0, DefaultCache, 64 << 20} {
		a, err := Open(bytes.NewReader(file), int64(len(file)), Cache(limit))
		if err != nil {
			b.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for _, way := range []struct {
			name string
			at   func(n int64) (i, j int64)
		}{
			{"row", func(n int64) (i, j int64) { return n / columns % rows, n % columns }},
			{"column", func(n int64) (i, j int64) { return n % rows, n / rows % columns }},
			{"random", func(int64) (i, j int64) { return r.Int64N(rows), r.Int64N(columns) }},
		} {
			b.Run(fmt.Sprintf("%s cache %d KiB", way.name, limit>>10), func(b *testing.B) {
				b.ReportAllocs()
				n := int64(0)
				for b.Loop() {
					i, j := way.at(n)
					if v, err := At[float64](a, i, j); err != nil || v != float64(i*columns+j) {
						b.Fatal(v, err)
					}
					n++
				}
			})
		}
	}
}

// BenchmarkReadAt8 measures ReadAt of 8 bytes.
func BenchmarkReadAt8(b *testing.B) {
	file := grid2D(b, 4096, 1024)
	for _, limit := range []int64{0, 4 << 20} {
		f, err := frame.Open(bytes.NewReader(file), int64(len(file)), frame.UseCache(frame.NewBlockCache(limit)))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("two places, cache %d KiB", limit>>10), func(b *testing.B) {
			b.ReportAllocs()
			var p [8]byte
			for n := int64(0); b.Loop(); n++ {
				if _, err := f.ReadAt(p[:], n%2<<20+n%1000*8); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
