package rechunk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/shard"
)

// For any memory and any number of shards, the new array has the bytes that a
// b2nd.Writer writes.
func TestFillEqualsWriter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		spec := b2nd.Spec{DType: "<f4"}
		size := int64(4)
		for range 1 + r.IntN(4) {
			spec.Shape = append(spec.Shape, 1+r.Int64N(14))
			size *= spec.Shape[len(spec.Shape)-1]
		}
		data := itemsOf(size)
		_, src := makeArray(t, cutAtRandom(r, spec), data)
		to := cutAtRandom(r, spec)
		want, _ := makeArray(t, to, data)
		cut, err := to.Cut()
		if err != nil {
			t.Fatal(err)
		}
		for _, memory := range []int64{1, size / 9, size / 2, size * 2} {
			plan, err := shard.NewArrayPlan(to, 1+r.IntN(int(cut.NumChunks())))
			if err != nil {
				t.Fatal(err)
			}
			var shards []shard.Shard
			for k := range plan.Shards() {
				fill, err := Fill(plan, src, memory)
				if err != nil {
					t.Fatal(err)
				}
				var body bytes.Buffer
				m, err := plan.WriteShard(&body, k, fill)
				if err != nil {
					t.Fatal(err)
				}
				shards = append(shards, shard.Shard{Manifest: m, Open: func() (io.ReadCloser, error) { return io.NopCloser(&body), nil }})
			}
			var got bytes.Buffer
			if err := shard.Assemble(&got, shards); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Fatalf("%+v to %+v in %d shards with %d bytes: other bytes than those of a Writer", src.Spec(), to, plan.Shards(), memory)
			}
		}
	}
}

// An array partitioned along its first axis is rechunked along its last, in two
// stages if memory is short.
func TestRun(t *testing.T) {
	spec := b2nd.Spec{Shape: []int64{2048, 64, 256}, DType: "<f4", ChunkShape: []int64{2, 64, 256}, BlockShape: []int64{2, 64, 256}}
	data := itemsOf(2048 * 64 * 256 * 4)
	_, src := makeArray(t, spec, data)
	to := b2nd.Spec{ChunkShape: []int64{2048, 4, 4}, BlockShape: []int64{1024, 4, 4}}
	full := to
	full.Shape, full.DType = spec.Shape, spec.DType
	want, _ := makeArray(t, full, data)
	for memory, stages := range map[int64]int{MinMemory: 2, 1 << 30: 1} {
		plan, err := NewPlan(src, to, memory)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bytes of memory:\n%s", memory, plan)
		if len(plan.Stages) != stages {
			t.Errorf("%d stages with %d bytes, want %d", len(plan.Stages), memory, stages)
		}
		dir := t.TempDir()
		out := filepath.Join(dir, "out.b2nd")
		if err := plan.WriteFile(out, src); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if src.Spec().Params.Codec != blosc2.CodecLZ4 || !bytes.Equal(got, want) {
			t.Error("other bytes than those of a Writer")
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%d files are left, %v", len(left), err)
		}
		for _, lib := range b2test.Oracles(t) {
			if got, err := lib.Decode(t, "read-b2nd", out); err != nil || !bytes.Equal(got, data) {
				t.Errorf("C-Blosc2 %d: %d bytes, %v", lib.Major, len(got), err)
			}
		}
	}
}

func TestBadPlans(t *testing.T) {
	_, src := makeArray(t, b2nd.Spec{Shape: []int64{100, 100}, DType: "<f4"}, itemsOf(40000))
	for name, c := range map[string]struct {
		spec   b2nd.Spec
		memory int64
	}{
		"memory":     {b2nd.Spec{}, 1},
		"shape":      {b2nd.Spec{Shape: []int64{100}}, 1 << 30},
		"dtype":      {b2nd.Spec{DType: "<f8"}, 1 << 30},
		"chunkshape": {b2nd.Spec{ChunkShape: []int64{1}}, 1 << 30},
	} {
		if _, err := NewPlan(src, c.spec, c.memory); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The memory that an error states is enough, and 1 MiB less is not.
func TestLeastMemory(t *testing.T) {
	_, src := makeArray(t, b2nd.Spec{Shape: []int64{1000, 4000}, DType: "<f4", ChunkShape: []int64{1000, 2000}}, itemsOf(16_000_000))
	to := b2nd.Spec{ChunkShape: []int64{100, 4000}}
	_, err := NewPlan(src, to, 64<<20)
	oe, ok := errors.AsType[*blosc2.OptionError](err)
	if !ok {
		t.Fatalf("%v", err)
	}
	var least int64
	if n, err := fmt.Sscanf(oe.Range, "at least %d, for chunks of 8000000 and 1600000 bytes", &least); n != 1 {
		t.Fatalf("%v: %v", oe, err)
	}
	if _, err := NewPlan(src, to, least); err != nil {
		t.Error(err)
	}
	if _, err := NewPlan(src, to, least-1<<20); err == nil {
		t.Errorf("%d bytes of memory suffice, and not %d", least-1<<20, least)
	}
}

// ShardReads counts the blocks that each shard decodes, including those that other shards
// decode too.
func TestShardReads(t *testing.T) {
	_, src := makeArray(t, b2nd.Spec{Shape: []int64{256, 64, 64}, DType: "<f4", ChunkShape: []int64{256, 8, 8}, BlockShape: []int64{256, 8, 8}}, itemsOf(256*64*64*4))
	to := src.Spec()
	to.ChunkShape, to.BlockShape = []int64{1, 64, 64}, nil
	for shards, times := range map[int]int64{1: 1, 4: 4, 256: 256} { // times is how often all blocks are decoded, once by every shard
		plan, err := shard.NewArrayPlan(to, shards)
		if err != nil {
			t.Fatal(err)
		}
		one, err := NewOneStage(src, to, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		all, made := int64(0), int64(0)
		for k := range shards {
			reads, size, err := one.ShardReads(plan, src, k)
			if err != nil {
				t.Fatal(err)
			}
			all, made = all+reads, made+size
		}
		if all != times*src.Size() || made != src.Size() || shards == 1 && all != one.Stages[0].Reads {
			t.Errorf("%d shards read %d bytes for %d, want %d for %d", shards, all, made, times*src.Size(), src.Size())
		}
		if _, _, err := one.ShardReads(plan, src, shards); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("shard %d: %v", shards, err)
		}
	}
}
