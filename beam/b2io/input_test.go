package b2io

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/reduce"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// Shards of two inputs are never assembled into one file: each run has a separate
// folder, in which the shards of another run are refused.
func TestTwoInputs(t *testing.T) {
	dir := t.TempDir()
	a, b, out := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "out")
	must(t, os.WriteFile(a, waves(1200), 0o666))
	must(t, os.WriteFile(b, waves(1200)[:4799], 0o666))
	plan := arrayPlan(t, spec([]int64{40, 30}, []int64{8, 30}, []int64{4, 10}), 2)
	var plans []*layout
	var folders []string
	for k, name := range []string{a, b} {
		in, err := InputOf(t.Context(), name)
		must(t, err)
		text := planFor(plan, []Input{in})
		l, err := parsePlan(text)
		must(t, err)
		plans, folders = append(plans, l), append(folders, shardFolder(out, text))
		if !strings.Contains(l.plan.Source(), in.Version) {
			t.Errorf("source %q does not name %q", l.plan.Source(), in.Version)
		}
		must(t, makeShard(t.Context(), out, l.plan, k, func([]byte, int64) error { return nil }))
	}
	if err := shard.AssembleFolder(out, folders[0]); !errors.Is(err, shard.ErrMissing) {
		t.Errorf("a shard of each: %v", err)
	}
	must(t, os.Rename(filepath.Join(folders[1], plans[1].plan.FileName(1)), filepath.Join(folders[0], plans[0].plan.FileName(1))))
	if err := shard.AssembleFolder(out, folders[0]); !errors.Is(err, shard.ErrForeign) {
		t.Errorf("a shard of each in one folder: %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is a file")
	}
}

// An input that is replaced after its pipeline was made makes each pipeline that writes
// fail.
func TestReplacedInput(t *testing.T) {
	dir := t.TempDir()
	name, out := filepath.Join(dir, "in.b2nd"), filepath.Join(dir, "out.b2nd")
	sp := spec([]int64{40, 30}, []int64{8, 30}, []int64{4, 10})
	writeArray(t, name, sp, waves(1200))
	in, err := InputOf(t.Context(), name)
	must(t, err)
	writeArray(t, name, sp, waves(2400)[4800:])
	plan := arrayPlan(t, sp, 2)
	along, err := ReducePlan(t.Context(), name, reduce.Max, []int{0}, 2)
	must(t, err)
	bytewise, err := shard.NewPlan(in.Size/4, 1)
	must(t, err)
	for what, build := range map[string]func(beam.Scope){
		"Write":    func(s beam.Scope) { Write(s, out, plan, Read(s, name), in) },
		"Compress": func(s beam.Scope) { Compress(s, out, bytewise, name, 0, in) },
		"Reduce":   func(s beam.Scope) { Reduce(s, out, along, name, reduce.Max, []int{0}, in) },
	} {
		p, s := beam.NewPipelineWithRoot()
		build(s)
		if err := run(t, p); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: there is a file", what)
		}
	}
}

// A frame's items have the dtype that its metalayer records; others are not numbers.
func TestCheckNumbers(t *testing.T) {
	dir := t.TempDir()
	for name, opts := range map[string][]stream.WriterOption{
		"typed": {stream.TypeSize(4), stream.Metalayer(meta.DTypeName, append([]byte{0xa3}, "<f4"...))},
		"plain": {stream.TypeSize(4)},
	} {
		f, err := os.Create(filepath.Join(dir, name))
		must(t, err)
		w, err := stream.NewWriter(f, opts...)
		must(t, err)
		_, err = w.Write(waves(100))
		must(t, err)
		must(t, w.Close())
		must(t, f.Close())
	}
	must(t, CheckNumbers(t.Context(), filepath.Join(dir, "t*")))
	src, err := openSource(t.Context(), filepath.Join(dir, "typed"))
	must(t, err)
	defer src.close()
	if w := src.window(); w.DType != "<f4" {
		t.Errorf("dtype %q", w.DType)
	}
	for name, want := range map[string]string{"plain": "are not numbers", "none": "no such file", "x*": "no file matches"} {
		if err := CheckNumbers(t.Context(), filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
