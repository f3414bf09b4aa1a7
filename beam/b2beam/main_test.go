package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/beam/b2io"
	"github.com/seed03b80dae/blosc2/beam/internal/pool"
	"github.com/seed03b80dae/blosc2/internal/storetest"
	"github.com/seed03b80dae/blosc2/npy"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/remote/azure"
	"github.com/seed03b80dae/blosc2/remote/gcs"
	"github.com/seed03b80dae/blosc2/remote/s3"
	"github.com/seed03b80dae/blosc2/shard"
)

func init() { register.DoFn2x1[b2io.Window, func(b2io.Window), error](&flakyFn{}) }

// The test binary runs as a worker if its arguments say so.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args[1:], "--worker") {
		main()
		return
	}
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// newPool starts worker processes, and makes pipelines run in them.
func newPool(t testing.TB, opts pool.Options) *pool.Pool {
	t.Helper()
	opts.Command = func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
		return cmd
	}
	p, err := pool.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if err := usePool(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// An input names the files of an array: its raw items, and a file with chunks along
// time. It also holds the result of rechunking it in one process.
type input struct {
	dir, raw, array string
	rechunked       []byte
}

var (
	shape   = []int64{96, 60, 50}
	byTime  = b2nd.Spec{Shape: shape, DType: "<f4", ChunkShape: []int64{2, 60, 50}, BlockShape: []int64{1, 30, 50}}
	byPlace = b2nd.Spec{Shape: shape, DType: "<f4", ChunkShape: []int64{96, 7, 9}, BlockShape: []int64{24, 7, 9}}
)

// compress and the following methods return the arguments of verbs that convert the
// input.
func (in *input) compress(out string) []string {
	return []string{"compress", "-o", out, "--shape", "96,60,50", "--dtype", "<f4", "--chunks", "2,60,50", "--blocks", "1,30,50", "--shards", "12", in.raw}
}

func (in *input) rechunk(out string) []string {
	return []string{"rechunk", "-o", out, "--chunks", "96,7,9", "--blocks", "24,7,9", "--shards", "9", in.array}
}

func newInput(t testing.TB) *input {
	t.Helper()
	in := &input{dir: t.TempDir()}
	in.raw, in.array = filepath.Join(in.dir, "in.f4"), filepath.Join(in.dir, "in.b2nd")
	var data []byte
	for i := range 96 * 60 * 50 {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(math.Round(1000*math.Sin(float64(i)/50))/10)))
	}
	if err := os.WriteFile(in.raw, data, 0o666); err != nil {
		t.Fatal(err)
	}
	one := func(name string, spec b2nd.Spec) []byte {
		p, err := shard.NewArrayPlan(spec, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := shard.WriteFile(name, p, p.FromReaderAt(bytes.NewReader(data))); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	one(in.array, byTime)
	in.rechunked = one(filepath.Join(in.dir, "want.b2nd"), byPlace)
	return in
}

// convert writes the items as a .npy file, and returns the verb that converts it.
func (in *input) convert(t testing.TB, out string) []string {
	t.Helper()
	data, err := os.ReadFile(in.raw)
	if err != nil {
		t.Fatal(err)
	}
	args := in.compress(out)
	path := writeNPY(t, in.dir, "in.npy", npy.Header{DType: "<f4", Shape: []int64{96, 60, 50}}, data)
	kept := []string{"convert"}
	for i := 1; i < len(args)-1; i += 2 {
		if args[i] != "--shape" && args[i] != "--dtype" {
			kept = append(kept, args[i], args[i+1])
		}
	}
	return append(kept, path)
}

func writeNPY(t testing.TB, dir, name string, h npy.Header, items []byte) (path string) {
	t.Helper()
	b, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, append(b, items...), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func sameFile(t testing.TB, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%s: %d bytes, which differ from those of one process, or %v", path, len(got), err)
	}
}

func sameObject(t testing.TB, store remote.ShardStore, url string, want []byte) {
	t.Helper()
	o, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	got := make([]byte, o.Size())
	if _, err := o.ReadAt(got, 0); err != nil && err != io.EOF || !bytes.Equal(got, want) {
		t.Fatalf("%s: %d bytes, which differ from those of one process, or %v", url, len(got), err)
	}
}

// Every verb runs in two processes, with the same result as in one.
func TestWorkers(t *testing.T) {
	in := newInput(t)
	p := newPool(t, pool.Options{Processes: 2})
	array, err := os.ReadFile(in.array)
	if err != nil {
		t.Fatal(err)
	}
	a, b, c, d := filepath.Join(in.dir, "a.b2nd"), filepath.Join(in.dir, "b.b2nd"), filepath.Join(in.dir, "c.b2nd"), filepath.Join(in.dir, "d.b2nd")
	for _, args := range [][]string{in.compress(a), in.rechunk(b), in.convert(t, d), {"reduce", "--op", "max", "--axis", "0", "-o", c, in.array}, {"stats", in.array}} {
		if err := run(t.Context(), args); err != nil {
			t.Fatalf("%s: %v", args[0], err)
		}
	}
	sameFile(t, a, array)
	sameFile(t, b, in.rechunked)
	sameFile(t, d, array)
	if _, err := b2nd.OpenFile(c); err != nil {
		t.Error(err)
	}
	if n := p.Started(); n < 2*5 {
		t.Errorf("%d processes for five pipelines", n)
	}
}

// The shards that are chosen for an object have enough part numbers in every store,
// and their parts fit into memory.
func TestStoreShards(t *testing.T) {
	spec := b2nd.Spec{Shape: []int64{1e12 >> 20, 512, 512}, DType: "<f4", ChunkShape: []int64{1, 512, 512}}
	rules := parts.Rules{Min: 5 << 20, Max: 5 << 30, Count: 10000} // the limits of S3
	for _, goal := range []int64{gatheredGoal, streamedGoal} {
		c := command{out: "s3://bucket/key"}
		p, err := c.plan(spec, goal)
		if err != nil {
			t.Fatal(err)
		}
		if size, err := p.PartSize(rules); err != nil || size > 256<<20 {
			t.Errorf("%d shards: parts of %d bytes, %v", p.Shards(), size, err)
		}
		c.out = "file"
		if p, err = c.plan(spec, goal); err != nil || int64(p.Shards()) != p.Size()/goal {
			t.Errorf("%d shards, %v", p.Shards(), err)
		}
	}
}

// An invalid input results in an error after some attempts.
func TestFails(t *testing.T) {
	in := newInput(t)
	newPool(t, pool.Options{Processes: 2, Attempts: 2})
	out := filepath.Join(in.dir, "x.b2nd")
	plan, err := shard.NewArrayPlan(b2nd.Spec{Shape: []int64{97, 60, 50}, DType: "<f4"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	b2io.Compress(s, out, plan, in.raw, 0)
	err = beamx.Run(t.Context(), p)
	if err == nil || !strings.Contains(err.Error(), "failed 2 times") || !strings.Contains(err.Error(), "the input ends at byte 1152000") {
		t.Errorf("an input that is too short: %v", err)
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file, or %v", err)
	}
}

// An invalid command line or input results in an error of one line before any work is
// done.
func TestRefused(t *testing.T) {
	in := newInput(t)
	out, array := filepath.Join(in.dir, "x.b2nd"), filepath.Join(in.dir, "a.npy")
	if err := os.WriteFile(array, []byte("\x93NUM"), 0o666); err != nil {
		t.Fatal(err)
	}
	fortran := writeNPY(t, in.dir, "f.npy", npy.Header{DType: "<f4", Fortran: true, Shape: []int64{0, 2}}, nil)
	long := writeNPY(t, in.dir, "l.npy", npy.Header{DType: "<f4", Shape: []int64{0}}, []byte{1})
	for _, c := range []struct {
		args, want string
		usage      bool
	}{
		{"", "a verb is missing", true},
		{"foo", "is not a verb", true},
		{"rechunk", "one input and -o OUT", true},
		{"rechunk --foo", "not defined", true},
		{"rechunk --help", "help requested", true},
		{"stats", "an input is required", true},
		{"stats " + in.raw, in.raw, false},
		{"stats none", "none: no such file", false},
		{"compress -o " + out + " --shape 3 none", "none: no such file", false},
		{"compress -o " + out + " " + in.raw, "--shape is required", true},
		{"compress -o " + out + " --shape 95,60,50 " + in.raw, "1152000 bytes of items, but shape [95 60 50] of <f4 has 1140000", false},
		{"compress -o " + out + " --shape 97,60,50 " + in.raw, "has 1164000", false},
		{"compress -o " + out + " --shape 1 " + array, "is a .npy file", false},
		{"convert -o " + out + " --shape 1 " + array, "--shape is that of", true},
		{"convert -o " + out + " " + array, "unexpected EOF", false},
		{"convert -o " + out + " " + in.raw, in.raw, false},
		{"convert -o " + out + " " + fortran, "is in Fortran order", false},
		{"convert -o " + out + " " + long, "1 bytes of items, but shape [0] of <f4 has 0", false},
	} {
		err := run(t.Context(), strings.Fields(c.args))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || errors.As(err, new(usageError)) != c.usage {
			t.Errorf("%s: %v, want %q", c.args, err, c.want)
		}
		if errors.Is(err, flag.ErrHelp) != strings.Contains(c.args, "--help") {
			t.Errorf("%s: %v", c.args, err)
		}
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file, or %v", err)
	}
}

// Processes that end before they do anything make the pipeline fail.
func TestStillborn(t *testing.T) {
	in := newInput(t)
	p, err := pool.Start(pool.Options{Processes: 2, Command: func() *exec.Cmd { return exec.Command("false") }})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := usePool(p); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), in.rechunk(filepath.Join(in.dir, "x.b2nd"))); err == nil || !strings.Contains(err.Error(), "ended before they connected") {
		t.Error(err)
	}
}

// Inputs and outputs can be objects of Google's store.
func TestGoogle(t *testing.T) {
	in := newInput(t)
	t.Setenv("STORAGE_EMULATOR_HOST", storetest.FakeGoogle(t, ""))
	newPool(t, pool.Options{Processes: 2})
	store, err := gcs.FromEnv()
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const out = "gs://bucket/folder/out.b2nd"
	if err := run(t.Context(), in.compress("gs://bucket/in.b2nd")); err != nil {
		t.Fatal(err)
	}
	in.array = "gs://bucket/in.b2nd"
	if err := run(t.Context(), in.rechunk(out)); err != nil {
		t.Fatal(err)
	}
	sameObject(t, store, out, in.rechunked)
}

// Inputs and outputs can be objects of Azure's store.
func TestAzure(t *testing.T) {
	in := newInput(t)
	connection := storetest.AzureConnection(storetest.Azurite(t), storetest.AzureKey)
	client, err := service.NewClientFromConnectionString(connection, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateContainer(t.Context(), "container", nil); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", connection)
	newPool(t, pool.Options{Processes: 2})
	store, err := azure.FromEnv()
	if err != nil {
		t.Fatal(err)
	}
	const out = "az://container/folder/out.b2nd"
	if err := run(t.Context(), in.compress("az://container/in.b2nd")); err != nil {
		t.Fatal(err)
	}
	in.array = "az://container/in.b2nd"
	if err := run(t.Context(), in.rechunk(out)); err != nil {
		t.Fatal(err)
	}
	sameObject(t, store, out, in.rechunked)
}

// A store that the environment does not describe results in one clear error.
func TestNoAccount(t *testing.T) {
	in := newInput(t)
	newPool(t, pool.Options{Processes: 2, Attempts: 1})
	for _, name := range []string{"AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGE_ACCOUNT"} {
		t.Setenv(name, "")
	}
	if err := run(t.Context(), in.compress("az://container/out.b2nd")); err == nil || !strings.Contains(err.Error(), "AZURE_STORAGE_ACCOUNT") {
		t.Error(err)
	}
}

// flakyFn emits each window that it receives. The first time, it then fails.
type flakyFn struct{ Folder string }

func (f *flakyFn) ProcessElement(w b2io.Window, emit func(b2io.Window)) error {
	emit(w)
	mark, err := os.OpenFile(filepath.Join(f.Folder, fmt.Sprint(w.Start)), os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return errors.Join(mark.Close(), errors.New("the first time"))
}

// A failed bundle is repeated, without lost or duplicate chunks: here each fails
// once for every chunk.
func TestRetried(t *testing.T) {
	in := newInput(t)
	newPool(t, pool.Options{Processes: 2, Attempts: 100})
	plan, err := shard.NewArrayPlan(byPlace, 9)
	if err != nil {
		t.Fatal(err)
	}
	marks := t.TempDir()
	out := filepath.Join(in.dir, "out.b2nd")
	p, s := beam.NewPipelineWithRoot()
	b2io.Write(s, out, plan, beam.ParDo(s, &flakyFn{marks}, b2io.Read(s, in.array)))
	if err := beamx.Run(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	sameFile(t, out, in.rechunked)
	if list, err := os.ReadDir(marks); err != nil || len(list) != 48 {
		t.Errorf("%d failures, want 48, or %v", len(list), err)
	}
}

// fates kills or stops processes until ctx ends, and returns how often.
func fates(ctx context.Context, p *pool.Pool, r *rand.Rand) (n int) {
	for {
		select {
		case <-ctx.Done():
			return n
		case <-time.After(time.Duration(r.Int64N(int64(150 * time.Millisecond)))):
		}
		all := p.Processes()
		if len(all) == 0 {
			continue
		}
		q := all[r.IntN(len(all))]
		if r.IntN(3) > 0 {
			q.Kill()
		} else {
			q.Signal(syscall.SIGSTOP)
			time.Sleep(time.Duration(r.Int64N(int64(60 * time.Millisecond))))
			q.Signal(syscall.SIGCONT)
		}
		n++
	}
}

// killed runs a verb while its processes are killed, or are stopped until another has
// taken over their work. In every second trial the processes work on the same parts at
// the same time.
func killed(t *testing.T, trials int, args []string, check func()) {
	t.Helper()
	total := 0
	for trial := range trials {
		r := rand.New(rand.NewPCG(uint64(trial), 18))
		p, err := pool.Start(pool.Options{Processes: 3, Attempts: 1000, Copies: 1 + trial%2, Command: func() *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
			return cmd
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := usePool(p); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		n := make(chan int)
		go func() { n <- fates(ctx, p, r) }()
		err = run(t.Context(), args)
		stop()
		total += <-n
		p.Close()
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		check()
		if (trial+1)%20 == 0 {
			t.Logf("%d trials of %d", trial+1, trials) // shows the progress if -v is set
		}
	}
	t.Logf("%d trials, %d processes killed or stopped", trials, total)
	if total == 0 {
		t.Error("no process was killed")
	}
}

func trials() int {
	if os.Getenv("BLOSC2_FULL") != "" {
		return 200
	}
	return 4
}

func TestWorkersKilled(t *testing.T) {
	in := newInput(t)
	out := filepath.Join(in.dir, "out.b2nd")
	killed(t, trials(), in.rechunk(out), func() {
		sameFile(t, out, in.rechunked)
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
	})
}

// Processes are killed or stopped as above while they write one object to a store.
func TestWorkersKilledStore(t *testing.T) {
	in := newInput(t)
	url := storetest.Gateway(t)
	t.Setenv("AWS_ENDPOINT_URL", url)
	t.Setenv("AWS_ACCESS_KEY_ID", storetest.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", storetest.SecretKey)
	store, err := s3.FromEnv()
	if err != nil {
		t.Fatal(err)
	}
	const out = "s3://bucket/out.b2nd"
	killed(t, trials(), in.rechunk(out), func() {
		sameObject(t, store, out, in.rechunked)
		if err := store.Delete(t.Context(), out); err != nil {
			t.Fatal(err)
		}
	})
}
