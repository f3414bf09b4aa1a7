package b2io

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/shard"
)

// parcels returns the parcels that cutFn emits for the chunks of an array, by shard.
func parcels(t testing.TB, in string, plan *shard.Plan, folder string) [][][]byte {
	t.Helper()
	src, err := openSource(t.Context(), in)
	must(t, err)
	defer src.close()
	f := &cutFn{Plan: planText(plan), Folder: folder}
	must(t, f.Setup())
	n := src.frame.NumChunks()
	all := make([][][]byte, plan.Shards())
	emit := func(k int, parcel []byte) { all[k] = append(all[k], parcel) }
	must(t, f.StartBundle(emit))
	must(t, src.chunks(0, func(k int64) bool { return k < n }, func(w Window) { must(t, f.ProcessElement(w, emit)) }))
	must(t, f.FinishBundle(emit))
	return all
}

// each returns the iterator that a runner passes for all parcels.
func each(parcels [][]byte) func(*[]byte) bool {
	return func(p *[]byte) bool {
		if len(parcels) == 0 {
			return false
		}
		*p, parcels = parcels[0], parcels[1:]
		return true
	}
}

// pieces returns the windows of parcels.
func pieces(t testing.TB, in string, plan *shard.Plan) (all []Window) {
	t.Helper()
	u := unpacker{next: each(slices.Concat(parcels(t, in, plan, "")...))}
	for {
		var w Window
		ok, err := u.window(&w)
		must(t, err)
		if !ok {
			return all
		}
		w.Items = slices.Clone(w.Items)
		all = append(all, w)
	}
}

// A missing, truncated or damaged file of windows results in an error.
func TestParcelFile(t *testing.T) {
	shape := []int64{20, 64, 64}
	data := waves(20 * 64 * 64)
	in, folder := filepath.Join(t.TempDir(), "in.b2nd"), t.TempDir()
	writeArray(t, in, spec(shape, []int64{1, 64, 64}, []int64{1, 16, 64}), data)
	plan := arrayPlan(t, spec(shape, []int64{20, 16, 16}, []int64{20, 4, 4}), 4)
	l, err := newLayout(plan)
	must(t, err)
	all := parcels(t, in, plan, folder)
	files, err := os.ReadDir(folder)
	must(t, err)
	if len(files) != 1 {
		t.Fatalf("%d files of windows, want 1", len(files))
	}
	for k, p := range all {
		g, err := l.gather(k, folder, each(p))
		must(t, err)
		for _, b := range g.boxes {
			whole := box{window: b2nd.Window{{Stop: 20, Step: 1}, {Stop: 64, Step: 1}, {Stop: 64, Step: 1}}, item: 4, items: data}
			if !bytes.Equal(b.items, whole.get(b.window)) {
				t.Errorf("shard %d has other items", k)
			}
		}
	}
	name := filepath.Join(folder, files[0].Name())
	good, err := os.ReadFile(name)
	must(t, err)
	for i := 0; i < len(good); i += 1 + len(good)/50 {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		must(t, os.WriteFile(name, bad, 0o666))
		damaged := 0
		for k, p := range all {
			if _, err := l.gather(k, folder, each(p)); errors.Is(err, shard.ErrDamaged) {
				damaged++
			}
		}
		if damaged != 1 {
			t.Fatalf("byte %d of %d changed: %d shards noticed it", i, len(good), damaged)
		}
	}
	must(t, os.Truncate(name, int64(len(good)-1)))
	if _, err := l.gather(3, folder, each(all[3])); err != io.EOF {
		t.Errorf("a file that is cut off: %v", err)
	}
	must(t, os.Remove(name))
	if _, err := l.gather(0, folder, each(all[0])); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is missing: %v", err)
	}
	for _, bad := range [][]byte{{3}, {parcelFile}, append([]byte{parcelFile, 3}, "../0123456789"...), {parcelWindows, 9, 0, 0, 0, 1}} {
		if _, err := l.gather(0, folder, each([][]byte{bad})); !errors.Is(err, errParcel) {
			t.Errorf("parcel % x: %v", bad, err)
		}
	}
}

func TestCoder(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.b2nd")
	shape := []int64{20, 64, 64}
	writeArray(t, in, spec(shape, []int64{1, 64, 64}, []int64{1, 16, 64}), waves(20*64*64))
	for _, w := range pieces(t, in, arrayPlan(t, spec(shape, []int64{20, 16, 16}, []int64{20, 4, 4}), 4)) {
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

// Pieces of a shard are joined along every dimension, in any order, and hold the
// items of all of them.
func TestJoin(t *testing.T) {
	shape := []int64{6, 10, 8}
	data := waves(6 * 10 * 8)
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

// Two concurrent copies of a pipeline, as in speculative execution, make one file
// of the right bytes.
func TestTwice(t *testing.T) {
	shape := []int64{30, 20, 10}
	data := waves(6000)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.b2nd"), filepath.Join(dir, "out.b2nd")
	writeArray(t, in, spec(shape, []int64{5, 20, 10}, []int64{5, 20, 10}), data)
	plan := arrayPlan(t, spec(shape, []int64{30, 4, 5}, []int64{30, 4, 5}), 5)
	folder := shardFolder(out, planText(plan))
	all := parcels(t, in, plan, folder)
	var wg sync.WaitGroup
	for range 3 {
		for k := range plan.Shards() {
			f := &makeFn{Plan: planText(plan), Out: out}
			must(t, f.Setup())
			wg.Go(func() {
				if err := f.ProcessElement(t.Context(), k, each(all[k]), func(int, int) {}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	// A pipeline that finds shards of an earlier attempt still makes the same file.
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
	b, err := encodeWindow(Window{Source: "x", DType: "<f4", ItemSize: 4, Start: []int64{1, 2}, Shape: []int64{3, 4}, Items: waves(12)})
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

// A rechunk moves at most 1.1 times the bytes of the file between workers, both with
// few shards and with so many that a chunk is cut into pieces of 16 KB.
func TestShuffledBytes(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.b2nd")
	writeArray(t, in, spec([]int64{64, 512, 512}, []int64{1, 512, 512}, []int64{1, 64, 512}), waves(64*512*512))
	info, err := os.Stat(in)
	must(t, err)
	for _, shards := range []int{2, 8, 64} {
		n := 0
		for _, p := range slices.Concat(parcels(t, in, arrayPlan(t, spec([]int64{64, 512, 512}, []int64{64, 64, 64}, []int64{64, 16, 16}), shards), "")...) {
			n += len(p)
		}
		if of := float64(n) / float64(info.Size()); of > 1.1 {
			t.Errorf("%d shards: %.2f times the file's %d bytes", shards, of, info.Size())
		} else {
			t.Logf("%d shards: %.2f times the file's %d bytes", shards, of, info.Size())
		}
	}
}

// BenchmarkShuffle reports the bytes that a rechunk moves between workers, relative to
// the bytes of the file.
func BenchmarkShuffle(b *testing.B) {
	in := os.Getenv("ARRAY")
	if in == "" {
		b.Skip("ARRAY must name an array file of shape 64, 512, 512")
	}
	info, err := os.Stat(in)
	must(b, err)
	for _, shards := range []int{2, 8, 64} {
		b.Run(fmt.Sprint(shards), func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = 0
				for _, p := range slices.Concat(parcels(b, in, arrayPlan(b, spec([]int64{64, 512, 512}, []int64{64, 64, 64}, []int64{64, 16, 16}), shards), "")...) {
					n += len(p)
				}
			}
			b.ReportMetric(float64(n)/float64(info.Size()), "of-the-file")
		})
	}
}
