package b2io

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// pieces returns what cutFn makes of the chunks of an array.
func pieces(t testing.TB, in string, plan []byte) (all []Window) {
	t.Helper()
	src, err := openSource(t.Context(), in)
	must(t, err)
	defer src.close()
	f := &cutFn{Plan: plan}
	must(t, f.Setup())
	n := src.frame.NumChunks()
	emit := func(_ int, p Window) { all = append(all, p) }
	f.StartBundle(emit)
	must(t, src.chunks(0, func(k int64) bool { return k < n }, func(w Window) { must(t, f.ProcessElement(w, emit)) }))
	f.FinishBundle(emit)
	return all
}

func TestCoder(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.b2nd")
	shape := []int64{20, 64, 64}
	writeArray(t, in, spec(shape, []int64{1, 64, 64}, []int64{1, 16, 64}), items(20*64*64))
	for _, w := range pieces(t, in, planText(arrayPlan(t, spec(shape, []int64{20, 16, 16}, []int64{20, 4, 4}), 4))) {
		b, err := encodeWindow(w)
		must(t, err)
		got, err := decodeWindow(b)
		must(t, err)
		if !reflect.DeepEqual(got, w) {
			t.Fatalf("%v at %v comes back as %v at %v", w.Shape, w.Start, got.Shape, got.Start)
		}
	}
	if _, err := encodeWindow(Window{ItemSize: 4, Shape: []int64{2}, Start: []int64{0}, Items: make([]byte, 7)}); err == nil {
		t.Error("a window with 7 bytes for 2 items of 4 is encoded")
	}
}

// Pieces of a shard are joined along every dimension, whatever the order in which
// they come, and hold the items of all of them.
func TestJoin(t *testing.T) {
	shape := []int64{6, 10, 8}
	data := items(6 * 10 * 8)
	all3 := Window{Start: []int64{0, 0, 0}, Shape: shape}
	whole := box{window: all3.Window(), item: 4, items: data}
	part := func(start, shape []int64) Window {
		w := Window{DType: "<f4", ItemSize: 4, Start: start, Shape: shape}
		w.Items = whole.get(w.Window())
		return w
	}
	var all []Window
	for z := range int64(3) {
		for y := range int64(5) {
			for x := range int64(4) {
				all = append(all, part([]int64{z * 2, y * 2, x * 2}, []int64{2, 2, 2}))
			}
		}
	}
	for range 10 {
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		got := join(slices.Clone(all))
		if len(got) != 1 || !slices.Equal(got[0].Shape, shape) || !bytes.Equal(got[0].Items, data) {
			t.Fatalf("%d windows, the first of shape %v", len(got), got[0].Shape)
		}
	}
	twice := join([]Window{part([]int64{0, 0, 0}, []int64{2, 2, 2}), part([]int64{0, 0, 0}, []int64{2, 2, 2}), part([]int64{4, 0, 0}, []int64{2, 2, 2})})
	if len(twice) != 3 {
		t.Errorf("a window that comes twice, and one that is not beside it, make %d", len(twice))
	}
}

// Two copies of a pipeline at the same time, as a runner that speculates has them,
// make one file of the right bytes.
func TestTwice(t *testing.T) {
	shape := []int64{30, 20, 10}
	data := items(6000)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.b2nd"), filepath.Join(dir, "out.b2nd")
	writeArray(t, in, spec(shape, []int64{5, 20, 10}, []int64{5, 20, 10}), data)
	plan := arrayPlan(t, spec(shape, []int64{30, 4, 5}, []int64{30, 4, 5}), 5)
	l, err := newLayout(plan)
	must(t, err)
	group := func(k int) func(*Window) bool {
		all := pieces(t, in, planText(plan))
		return func(w *Window) bool {
			for len(all) > 0 {
				p := all[0]
				all = all[1:]
				for _, b := range l.boxes(k) {
					if _, ok := intersect(p.Window(), b); ok {
						*w = p
						return true
					}
				}
			}
			return false
		}
	}
	var wg sync.WaitGroup
	for range 3 {
		for k := range plan.Shards() {
			f := &makeFn{Plan: planText(plan), Out: out}
			must(t, f.Setup())
			next := group(k)
			wg.Go(func() {
				if err := f.ProcessElement(t.Context(), k, next, func(int, int) {}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	// A pipeline that finds shards of an earlier attempt makes the file all the same.
	p, s := beam.NewPipelineWithRoot()
	Write(s, out, plan, Read(s, in))
	must(t, run(t, p))
	got, err := os.ReadFile(out)
	must(t, err)
	if !bytes.Equal(got, whole(t, plan, data)) {
		t.Error("other bytes than those of one process")
	}
}

func FuzzDecodeWindow(f *testing.F) {
	b, err := encodeWindow(Window{Source: "x", DType: "<f4", ItemSize: 4, Start: []int64{1, 2}, Shape: []int64{3, 4}, Items: items(12)})
	must(f, err)
	f.Add(b)
	f.Add(b[:20])
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := decodeWindow(b)
		if err == nil && w.Bytes() != int64(len(w.Items)) {
			t.Errorf("%d bytes for a window of %d", len(w.Items), w.Bytes())
		}
	})
}

// BenchmarkShuffle reports how many bytes travel for a rechunk, of those that the
// file has.
func BenchmarkShuffle(b *testing.B) {
	in := os.Getenv("ARRAY")
	if in == "" {
		b.Skip("ARRAY names no file of shape 64, 512, 512")
	}
	info, err := os.Stat(in)
	must(b, err)
	for _, shards := range []int{2, 8, 64} {
		b.Run(fmt.Sprint(shards), func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = 0
				for _, w := range pieces(b, in, planText(arrayPlan(b, spec([]int64{64, 512, 512}, []int64{64, 64, 64}, []int64{64, 16, 16}), shards))) {
					e, err := encodeWindow(w)
					must(b, err)
					n += len(e)
				}
			}
			b.ReportMetric(float64(n)/float64(info.Size()), "of-the-file")
		})
	}
}
