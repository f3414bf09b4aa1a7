package shard_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// settings holds options that make different frames.
var settings = map[string][]stream.WriterOption{
	"defaults":    {stream.ChunkSize(10000)},
	"zstd":        {stream.ChunkSize(7001), stream.TypeSize(4), stream.Codec(blosc2.CodecZstd), stream.Level(3)},
	"no checks":   {stream.ChunkSize(4096), stream.Checks(false), stream.Level(9), stream.Codec(blosc2.CodecLZ4HC)},
	"stored":      {stream.ChunkSize(9999), stream.Level(0), stream.TypeSize(3)},
	"metalayers":  {stream.ChunkSize(20000), stream.Metalayer("a", []byte("b")), stream.Threads(3, 4), stream.Split(blosc2.SplitNever)},
	"dictionary":  {stream.ChunkSize(30000), stream.Codec(blosc2.CodecZstd), stream.Dict(), stream.BlockSize(2000)},
	"bitshuffle":  {stream.ChunkSize(8192), stream.Filters(filters.Pipeline{IDs: [6]blosc2.FilterID{5: blosc2.FilterBitShuffle}}), stream.BlockSize(1024)},
	"large items": {stream.ChunkSize(9000), stream.TypeSize(300)},
}

func TestFrameEqualsOneProcess(t *testing.T) {
	for name, opts := range settings {
		for _, n := range []int{1, 29, 60000, 123457} {
			data := numbers(n)
			want := whole(t, data, opts...)
			one, err := shard.NewPlan(int64(n), 1, opts...)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, k := range []int{1, 2, 3, 7, int(one.NumChunks())} {
				if int64(k) > one.NumChunks() {
					continue
				}
				p, err := shard.NewPlan(int64(n), k, opts...)
				if err != nil {
					t.Fatal(err)
				}
				shards := inMemory(t, p, data, stream.Workers(1+k%2))
				rand.Shuffle(len(shards), func(i, j int) { shards[i], shards[j] = shards[j], shards[i] })
				if got := assemble(t, append(shards, shards[0])); !bytes.Equal(got, want) {
					t.Errorf("%s, %d bytes in %d shards: other bytes than those of one process", name, n, k)
				}
			}
		}
	}
}

func TestEmptyFrame(t *testing.T) {
	p, err := shard.NewPlan(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := assemble(t, inMemory(t, p, nil)); !bytes.Equal(got, whole(t, nil)) {
		t.Error("other bytes than those of one process")
	}
}

func TestArrayEqualsOneProcess(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		spec := b2nd.Spec{DType: []string{"<f4", "|u1", "<f8", "|S5"}[r.IntN(4)]}
		for range r.IntN(5) {
			n := 1 + r.Int64N(20)
			c := 1 + r.Int64N(n)
			spec.Shape, spec.ChunkShape, spec.BlockShape = append(spec.Shape, n), append(spec.ChunkShape, c), append(spec.BlockShape, 1+r.Int64N(c))
		}
		if i%10 == 0 { // let Cut choose the chunks, as python-blosc2 does
			spec.ChunkShape, spec.BlockShape = nil, nil
		}
		cut, err := spec.Cut()
		if err != nil {
			t.Fatal(err)
		}
		size := cut.ItemSize()
		for _, n := range spec.Shape {
			size *= int(n)
		}
		data := numbers(size)
		want := wholeArray(t, spec, data)
		for _, k := range []int{1, 2, 5, int(cut.NumChunks())} {
			p, err := shard.NewArrayPlan(spec, min(k, int(cut.NumChunks())))
			if err != nil {
				t.Fatal(err)
			}
			if got := assemble(t, inMemory(t, p, data)); !bytes.Equal(got, want) {
				t.Errorf("%+v in %d shards: other bytes than those of one process", spec, k)
			}
		}
	}
}

func TestGenuineLibrariesRead(t *testing.T) {
	libs := b2test.Oracles(t)
	data := numbers(100000)
	spec := b2nd.Spec{Shape: []int64{50, 100, 5}, DType: "<f4", ChunkShape: []int64{11, 30, 5}, BlockShape: []int64{4, 9, 5}}
	plan, err := shard.NewPlan(int64(len(data)), 5, stream.TypeSize(4), stream.ChunkSize(7000))
	if err != nil {
		t.Fatal(err)
	}
	array, err := shard.NewArrayPlan(spec, 6)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command string
		plan    *shard.Plan
	}{{"read-frame", plan}, {"read-b2nd", array}} {
		folder := t.TempDir()
		for k := range c.plan.Shards() {
			if err := shard.WriteShardFile(folder, c.plan, k, c.plan.FromReaderAt(bytes.NewReader(data))); err != nil {
				t.Fatal(err)
			}
		}
		for _, opts := range [][]shard.AssembleOption{nil, {shard.Unchecked()}} {
			out := filepath.Join(t.TempDir(), "out.b2nd")
			last := int64(0)
			progress := shard.Progress(func(done, total int64) {
				if done <= last || done > total {
					t.Errorf("%d of %d bytes after %d", done, total, last)
				}
				last = done
			})
			if err := shard.AssembleFolder(out, folder, append(opts, progress)...); err != nil || last == 0 {
				t.Fatal(err, last)
			}
			for _, lib := range libs {
				if got, err := lib.Decode(t, c.command, out); err != nil || !bytes.Equal(got, data) {
					t.Errorf("C-Blosc2 %d, %s: %d bytes, %v", lib.Major, c.command, len(got), err)
				}
			}
		}
	}
}

func TestPlanTravels(t *testing.T) {
	data := numbers(50000)
	p, err := shard.NewPlan(50000, 3, settings["metalayers"]...)
	if err != nil {
		t.Fatal(err)
	}
	p = p.WithSource("version 7")
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	q := new(shard.Plan)
	if err := json.Unmarshal(text, q); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(q); err != nil || !bytes.Equal(again, text) {
		t.Errorf("%s became %s, %v", text, again, err)
	}
	if !bytes.Equal(assemble(t, inMemory(t, q, data)), assemble(t, inMemory(t, p, data))) || q.Source() != "version 7" {
		t.Error("the plan makes other bytes on another machine")
	}
}

func TestBadPlans(t *testing.T) {
	for name, make := range map[string]func() (*shard.Plan, error){
		"more shards than chunks": func() (*shard.Plan, error) { return shard.NewPlan(100, 3, stream.ChunkSize(80)) },
		"no shards":               func() (*shard.Plan, error) { return shard.NewPlan(100, 0) },
		"negative size":           func() (*shard.Plan, error) { return shard.NewPlan(-1, 1) },
		"variable chunks":         func() (*shard.Plan, error) { return shard.NewPlan(100, 1, stream.VariableChunks()) },
		"old layout":              func() (*shard.Plan, error) { return shard.NewPlan(100, 1, stream.Layout2019()) },
		"chunk size":              func() (*shard.Plan, error) { return shard.NewPlan(100, 1, stream.ChunkSize(-1)) },
		"too many chunks":         func() (*shard.Plan, error) { return shard.NewPlan(1<<60, 1) },
		"chosen by the data":      func() (*shard.Plan, error) { return shard.NewPlan(100, 1, stream.Auto(tune.Speed)) },
		"growing array": func() (*shard.Plan, error) {
			return shard.NewArrayPlan(b2nd.Spec{Shape: []int64{b2nd.Unknown}, DType: "<f4"}, 1)
		},
	} {
		if _, err := make(); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := shard.NewPlan(100, 2, stream.ChunkSize(50), stream.TypeSize(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.WriteShard(io.Discard, 2, p.FromReaderAt(bytes.NewReader(nil))); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("shard 2 of 2: %v", err)
	}
	if _, err := p.WriteShard(io.Discard, 1, p.FromReaderAt(bytes.NewReader(make([]byte, 90)))); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "the input ends at byte 90, but must have at least 100 bytes") {
		t.Errorf("an input that is too short: %v", err)
	}
	stop := errors.New("stop")
	if _, err := p.WriteShard(io.Discard, 1, func([]byte, int64) error { return stop }); err != stop {
		t.Errorf("an error of Fill: %v", err)
	}
}

// wrongIn checks that assembling the folder names the given shards, and leaves no
// output.
func wrongIn(t *testing.T, what, folder string, reason error, numbers ...int) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	err := shard.AssembleFolder(out, folder)
	var e *shard.Error
	if !errors.Is(err, reason) || !errors.As(err, &e) || fmt.Sprint(e.Shards) != fmt.Sprint(numbers) {
		t.Errorf("%s: %v", what, err)
	}
	if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) > 0 {
		t.Errorf("%s: %d files are left, %v", what, len(left), err)
	}
}

func TestWrongShards(t *testing.T) {
	data := numbers(100000)
	make := func(folder string, source string, numbers ...int) *shard.Plan {
		p, err := shard.NewPlan(100000, 10, stream.ChunkSize(3000))
		if err != nil {
			t.Fatal(err)
		}
		p = p.WithSource(source)
		for _, k := range numbers {
			if err := shard.WriteShardFile(folder, p, k, p.FromReaderAt(bytes.NewReader(data))); err != nil {
				t.Fatal(err)
			}
		}
		return p
	}
	folder := t.TempDir()
	if err := shard.AssembleFolder(filepath.Join(folder, "x"), folder); !errors.Is(err, shard.ErrMissing) {
		t.Errorf("no shards: %v", err)
	}
	make(folder, "", 0, 1, 2, 6, 7, 9)
	wrongIn(t, "missing", folder, shard.ErrMissing, 3, 4, 5, 8)
	p := make(folder, "", 3, 4, 5, 8)

	make(folder, "other", 4)
	wrongIn(t, "of another input", folder, shard.ErrForeign, 4)
	make(folder, "", 4)

	other, err := shard.NewPlan(100000, 2, stream.ChunkSize(3000))
	if err != nil {
		t.Fatal(err)
	}
	if err := shard.WriteShardFile(folder, other, 1, other.FromReaderAt(bytes.NewReader(data))); err != nil {
		t.Fatal(err)
	}
	wrongIn(t, "of another number of shards", folder, shard.ErrForeign, 1)
	if err := os.Remove(filepath.Join(folder, other.FileName(1))); err != nil {
		t.Fatal(err)
	}

	if err := os.WriteFile(filepath.Join(folder, ".0-of-10.b2shard.77.tmp"), data, 0o666); err != nil { // left by a killed worker
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	if err := shard.AssembleFolder(out, folder); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readFile(t, out), whole(t, data, stream.ChunkSize(3000))) {
		t.Error("other bytes than those of one process")
	}

	// A change of any byte of a shard is detected.
	path := filepath.Join(folder, p.FileName(6))
	good := readFile(t, path)
	for i := 0; i < len(good); i += 1 + len(good)/80 {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		if err := os.WriteFile(path, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		err := shard.AssembleFolder(out, folder)
		if err == nil {
			t.Fatalf("byte %d of %d changed: no error", i, len(good))
		}
		if !errors.Is(err, shard.ErrDamaged) && !errors.Is(err, shard.ErrForeign) {
			t.Fatalf("byte %d of %d changed: %v", i, len(good), err)
		}
	}
	for n := range len(good) {
		if n%397 == 0 {
			if err := os.WriteFile(path, good[:n], 0o666); err != nil {
				t.Fatal(err)
			}
			if err := shard.AssembleFolder(out, folder); !errors.Is(err, shard.ErrDamaged) {
				t.Fatalf("cut to %d bytes: %v", n, err)
			}
		}
	}
}
