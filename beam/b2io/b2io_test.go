package b2io

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/reduce"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

func init() {
	register.Function1x1(sizeOf)
	register.Function2x0(keepOdd)
	register.Function2x0(twice)
}

func sizeOf(w Window) int { return len(w.Items) }

func keepOdd(w Window, emit func(Window)) {
	if w.Start[0] != 0 {
		emit(w)
	}
}

func twice(w Window, emit func(Window)) { emit(w); emit(w) }

// An array that a pipeline rechunks has the bytes of one that is written directly.
func TestRechunk(t *testing.T) {
	shape := []int64{37, 21, 18}
	data := waves(37 * 21 * 18)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.b2nd"), filepath.Join(dir, "out.b2nd")
	writeArray(t, in, spec(shape, []int64{1, 21, 18}, []int64{1, 7, 18}), data)
	for _, shards := range []int{1, 3, 7} {
		plan := arrayPlan(t, spec(shape, []int64{37, 5, 4}, []int64{10, 5, 4}), shards)
		p, s := beam.NewPipelineWithRoot()
		Write(s, out, plan, Read(s, in))
		must(t, run(t, p))
		got, err := os.ReadFile(out)
		must(t, err)
		if !bytes.Equal(got, whole(t, plan, data)) {
			t.Errorf("%d shards: other bytes than those of one process", shards)
		}
	}
	left, err := os.ReadDir(dir)
	must(t, err)
	if len(left) != 2 {
		t.Errorf("%d files are in the folder, want 2", len(left))
	}
}

// Both C libraries read the output of Write, Compress and Reduce, and of Write after
// Rechunk.
func TestOracleReads(t *testing.T) {
	libs := b2test.Oracles(t)
	shape := []int64{40, 30}
	data := waves(1200)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.b2nd")
	writeArray(t, in, spec(shape, []int64{7, 30}, []int64{7, 10}), data)
	most := data[len(data)-4*30:] // the largest items along the first dimension
	for j := range 30 {
		for i := range 40 {
			if v := data[4*(30*i+j):][:4]; floatOf(v) > floatOf(most[4*j:]) {
				most = slices.Concat(most[:4*j], v, most[4*j+4:])
			}
		}
	}
	written, rechunked, compressed, reduced := filepath.Join(dir, "written"), filepath.Join(dir, "rechunked"), filepath.Join(dir, "compressed"), filepath.Join(dir, "reduced")
	frame := filepath.Join(dir, "frame")
	byPlace := arrayPlan(t, spec(shape, []int64{40, 4}, []int64{8, 4}), 3)
	bytewise, err := shard.NewPlan(int64(len(data)), 3, stream.TypeSize(4), stream.ChunkSize(1<<10))
	must(t, err)
	along, err := ReducePlan(t.Context(), in, reduce.Max, []int{0}, 4)
	must(t, err)
	p, s := beam.NewPipelineWithRoot()
	Write(s, written, byPlace, Read(s, in))
	Write(s, rechunked, byPlace, Rechunk(s, byPlace, Read(s, in)))
	Compress(s, compressed, byPlace, rawFile(t, data), 0)
	Compress(s, frame, bytewise, rawFile(t, data), 0)
	Reduce(s, reduced, along, in, reduce.Max, []int{0})
	must(t, run(t, p))
	for _, c := range []struct {
		command, name string
		want          []byte
	}{{"read-b2nd", written, data}, {"read-b2nd", rechunked, data}, {"read-b2nd", compressed, data}, {"read-frame", frame, data}, {"read-b2nd", reduced, most}} {
		for _, lib := range libs {
			if got, err := lib.Decode(t, c.command, c.name); err != nil || !bytes.Equal(got, c.want) {
				t.Errorf("C-Blosc2 %d, %s: %d bytes, want %d, %v", lib.Major, filepath.Base(c.name), len(got), len(c.want), err)
			}
		}
	}
}

func floatOf(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// The chunks that Rechunk returns can be written unchanged.
func TestRechunkWindows(t *testing.T) {
	shape := []int64{40, 30}
	data := waves(1200)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.b2nd"), filepath.Join(dir, "out.b2nd")
	writeArray(t, in, spec(shape, []int64{7, 30}, []int64{7, 10}), data)
	plan := arrayPlan(t, spec(shape, []int64{40, 4}, []int64{8, 4}), 3)
	p, s := beam.NewPipelineWithRoot()
	chunks := Rechunk(s, plan, Read(s, in))
	passert.Count(s, chunks, "chunks", 8)
	Write(s, out, plan, chunks)
	must(t, run(t, p))
	got, err := os.ReadFile(out)
	must(t, err)
	if !bytes.Equal(got, whole(t, plan, data)) {
		t.Error("other bytes than those of one process")
	}
}

// Frames without an array are read and written too, with a last chunk that is not
// full.
func TestFrame(t *testing.T) {
	data := waves(10_001)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.b2frame"), filepath.Join(dir, "out.b2frame")
	f, err := os.Create(in)
	must(t, err)
	w, err := stream.NewWriter(f, stream.TypeSize(4), stream.ChunkSize(4096))
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	must(t, f.Close())
	plan, err := shard.NewPlan(int64(len(data)), 3, stream.TypeSize(4), stream.ChunkSize(1<<14))
	must(t, err)
	p, s := beam.NewPipelineWithRoot()
	Write(s, out, plan, Read(s, filepath.Join(dir, "*.b2frame")))
	must(t, run(t, p))
	got, err := os.ReadFile(out)
	must(t, err)
	if !bytes.Equal(got, whole(t, plan, data)) {
		t.Error("other bytes than those of one process")
	}
}

// The items of a frame have the type that it records, also if they are compressed as records.
func TestFrameOfRecords(t *testing.T) {
	data := waves(6000)
	in := filepath.Join(t.TempDir(), "in.b2frame")
	w, err := stream.CreateFile(in, stream.TypeSize(24), stream.ChunkSize(4096), stream.Metalayer("dtype", []byte("\xa3<f4")))
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	all := Window{DType: "<f4", ItemSize: 4, Items: data}
	values, err := all.Floats(nil)
	must(t, err)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	p, s := beam.NewPipelineWithRoot()
	passert.EqualsFloat(s, Sum(s, Read(s, in)), beam.Create(s, sum), 1e-9)
	windows := ReadWindows(s, beam.Create(s, Request{Name: in, Start: []int64{7}, Stop: []int64{10}}))
	passert.EqualsList(s, beam.ParDo(s, sizeOf, windows), []int{12})
	must(t, run(t, p))
}

func TestCompress(t *testing.T) {
	data := waves(30_000)
	raw := rawFile(t, append([]byte("head"), data...))
	out := filepath.Join(t.TempDir(), "out.b2nd")
	plan := arrayPlan(t, spec([]int64{300, 100}, []int64{32, 100}, []int64{8, 100}), 4)
	p, s := beam.NewPipelineWithRoot()
	Compress(s, out, plan, raw, 4)
	must(t, run(t, p))
	got, err := os.ReadFile(out)
	must(t, err)
	if !bytes.Equal(got, whole(t, plan, data)) {
		t.Error("other bytes than those of one process")
	}
}

func TestReduce(t *testing.T) {
	data := waves(64 * 50 * 20)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.b2nd"), filepath.Join(dir, "out.b2nd")
	writeArray(t, in, spec([]int64{64, 50, 20}, []int64{16, 10, 20}, []int64{4, 10, 20}), data)
	plan, err := ReducePlan(t.Context(), in, reduce.Mean, []int{0}, 4)
	must(t, err)
	p, s := beam.NewPipelineWithRoot()
	Reduce(s, out, plan, in, reduce.Mean, []int{0})
	must(t, run(t, p))
	src, r, err := openReduction(t.Context(), in, reduce.Mean, []int{0})
	must(t, err)
	defer src.close()
	want := filepath.Join(dir, "want.b2nd")
	must(t, shard.WriteFile(want, plan, r.Fill))
	a, err := os.ReadFile(out)
	must(t, err)
	b, err := os.ReadFile(want)
	must(t, err)
	if !bytes.Equal(a, b) {
		t.Error("other bytes than those of one process")
	}
}

func TestDescribe(t *testing.T) {
	data := waves(40_000)
	in := filepath.Join(t.TempDir(), "in.b2nd")
	writeArray(t, in, spec([]int64{400, 100}, []int64{16, 100}, []int64{16, 100}), data)
	var sum, least, most float64
	all := Window{DType: "<f4", ItemSize: 4, Items: data}
	values, err := all.Floats(nil)
	must(t, err)
	for _, v := range values {
		sum += v
		least, most = min(least, v), max(most, v)
	}
	mean, m2 := sum/40_000, 0.0
	for _, v := range values {
		m2 += (v - mean) * (v - mean)
	}
	p, s := beam.NewPipelineWithRoot()
	w := Read(s, in)
	passert.EqualsFloat(s, Sum(s, w), beam.Create(s, sum), 1e-9)
	passert.EqualsFloat(s, Mean(s, w), beam.Create(s, mean), 1e-9)
	passert.EqualsFloat(s, Min(s, w), beam.Create(s, least), 1e-9)
	passert.EqualsFloat(s, Max(s, w), beam.Create(s, most), 1e-9)
	passert.EqualsFloat(s, Std(s, w), beam.Create(s, math.Sqrt(m2/40_000)), 1e-9)
	bins := make([]int64, 7)
	for _, v := range values {
		if v >= -50 && v <= 50 {
			bins[min(int((v+50)*7/100), 6)]++
		}
	}
	counts := Histogram(s, -50, 50, 7, w)
	beam.ParDo0(s, &sameBins{Bins: bins}, counts)
	must(t, run(t, p))
}

func init() { register.DoFn1x1[Counts, error](&sameBins{}) }

type sameBins struct{ Bins []int64 }

func (f *sameBins) ProcessElement(c Counts) error {
	total := c.Below + c.Above + c.NaN
	for i, n := range c.Bins {
		total += n
		if n != f.Bins[i] {
			return errBins
		}
	}
	if total != 40_000 {
		return errBins
	}
	return nil
}

var errBins = os.ErrInvalid

func TestReadWindows(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.b2nd")
	writeArray(t, in, spec([]int64{40, 30}, []int64{8, 30}, []int64{4, 10}), waves(1200))
	p, s := beam.NewPipelineWithRoot()
	w := ReadWindows(s, beam.Create(s, Request{Name: in, Start: []int64{3, 5}, Stop: []int64{10, 6}}, Request{Name: in}))
	passert.EqualsList(s, beam.ParDo(s, sizeOf, w), []int{28, 4800})
	must(t, run(t, p))
}

// Missing, duplicate, foreign and lost parts result in one clear error, and no file
// appears under the name.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.b2nd"), filepath.Join(dir, "out.b2nd")
	shape := []int64{40, 30}
	writeArray(t, in, spec(shape, []int64{8, 30}, []int64{4, 10}), waves(1200))
	plan := arrayPlan(t, spec(shape, []int64{40, 4}, []int64{8, 4}), 3)
	wide := arrayPlan(t, spec([]int64{40, 20}, []int64{40, 4}, []int64{8, 4}), 3)
	for _, c := range []struct {
		name, want string
		build      func(s beam.Scope)
	}{
		{"missing", "are missing, the first at [0 ", func(s beam.Scope) { Write(s, out, plan, beam.ParDo(s, keepOdd, Read(s, in))) }},
		{"doubled", "were received twice", func(s beam.Scope) { Write(s, out, plan, beam.ParDo(s, twice, Read(s, in))) }},
		{"foreign", "is not part of an array of shape [40 20]", func(s beam.Scope) { Write(s, out, wide, Read(s, in)) }},
		{"no file", "no file matches", func(s beam.Scope) { Write(s, out, plan, Read(s, filepath.Join(dir, "*.none"))) }},
		{"no opener", "no opener for foo", func(s beam.Scope) { Write(s, out, plan, Read(s, "foo://bar")) }},
		{"window", "window from [0] to [1]", func(s beam.Scope) {
			ReadWindows(s, beam.Create(s, Request{Name: in, Start: []int64{0}, Stop: []int64{1}}))
		}},
	} {
		p, s := beam.NewPipelineWithRoot()
		c.build(s)
		if err := run(t, p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: there is a file", c.name)
		}
	}
}
