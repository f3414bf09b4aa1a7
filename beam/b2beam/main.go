// Command b2beam runs the verbs of blosc2 that many machines can share as pipelines
// of Apache Beam.
//
//	b2beam [flags of the runner] compress -o OUT --shape N,... [--dtype T] [--chunks N,...] [--blocks N,...] RAW
//	b2beam [flags of the runner] convert -o OUT [--chunks N,...] [--blocks N,...] NPY
//	b2beam [flags of the runner] rechunk -o OUT --chunks N,... [--blocks N,...] ARRAY
//	b2beam [flags of the runner] reduce [--op OP] --axis N,... -o OUT ARRAY
//	b2beam [flags of the runner] stats FILE...
//
// The runner is prism on this machine unless --runner names another one. With
// --workers N, N processes do the work; what a process had not finished when it
// died is repeated by another. Inputs are paths or URLs with http or https; outputs
// are paths that all workers see. s3://BUCKET/KEY, gs://BUCKET/KEY and
// az://CONTAINER/KEY are objects of stores, which the environment describes as it
// does for blosc2. An existing output is replaced.
//
// A run keeps its shards in a folder .OUT.HASH.shards next to the output, and removes
// it at the end. A run that fails or is killed leaves the folder; a later one does not
// use it. Remove it with rm -r when no run is active.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/beam/b2io"
	"github.com/seed03b80dae/blosc2/beam/internal/pool"
	"github.com/seed03b80dae/blosc2/npy"
	"github.com/seed03b80dae/blosc2/reduce"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/remote/azure"
	"github.com/seed03b80dae/blosc2/remote/gcs"
	"github.com/seed03b80dae/blosc2/remote/s3"
	"github.com/seed03b80dae/blosc2/shard"
)

func init() {
	register.Function1x0(printStats)
	b2io.RegisterStore("s3", func(context.Context) (remote.ShardStore, error) { return s3.FromEnv() })
	b2io.RegisterStore("gs", func(context.Context) (remote.ShardStore, error) { return gcs.FromEnv() })
	b2io.RegisterStore("az", func(context.Context) (remote.ShardStore, error) { return azure.FromEnv() })
}

// workers is the number of worker processes.
var workers = flag.Int("workers", 0, "Number of processes on this machine that do the work, with the runner prism; 0 is this process alone.")

// stdout is where verbs print their results.
var stdout = os.Stdout

func main() {
	flag.Usage = usage
	flag.Parse()
	if err := quiet(); err != nil {
		fmt.Fprintf(os.Stderr, "b2beam: %v\n", err)
		os.Exit(1)
	}
	beam.Init() // Init does not return in a worker
	switch err := runAll(context.Background(), flag.Args()); {
	case errors.Is(err, flag.ErrHelp):
		flag.CommandLine.SetOutput(os.Stdout)
		usage()
	case err != nil:
		fmt.Fprintf(os.Stderr, "b2beam: %v\n", err)
		if errors.As(err, new(usageError)) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// A usageError is a command line that is not valid. The program exits with 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func misuse(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// quiet drops what Beam's SDK prints in a worker: the SDK tries to set the limit of
// open files to the bytes of memory, which no system permits, and reports the failure
// on os.Stdout.
func quiet() (err error) {
	if f := flag.Lookup("worker"); f != nil && f.Value.String() == "true" {
		os.Stdout, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	return err
}

func usage() {
	fmt.Fprint(flag.CommandLine.Output(), `b2beam runs verbs of blosc2 as pipelines of Apache Beam.

  b2beam [flags] compress -o OUT --shape N,... [--dtype T] [--chunks N,...] [--blocks N,...] RAW
  b2beam [flags] convert -o OUT [--chunks N,...] [--blocks N,...] NPY
  b2beam [flags] rechunk -o OUT --chunks N,... [--blocks N,...] ARRAY
  b2beam [flags] reduce [--op sum|mean|min|max|std|count] --axis N,... -o OUT ARRAY
  b2beam [flags] stats FILE...

The dtype is <f4 and the op mean unless set. All but stats accept --shards N, the
number of parts of the work. An existing OUT is replaced. A run that fails leaves its
folder .OUT.HASH.shards, which may be removed.

The flags before the verb are those of the runner:
`)
	flag.PrintDefaults()
}

// runAll runs a verb, with worker processes if there are any.
func runAll(ctx context.Context, args []string) error {
	if *workers > 0 {
		p, err := pool.Start(pool.Options{Processes: *workers})
		if err != nil {
			return err
		}
		defer p.Close()
		if err := usePool(p); err != nil {
			return err
		}
	}
	return run(ctx, args)
}

// usePool makes the runner send the pipeline's work to a pool, which starts this
// program itself.
func usePool(p *pool.Pool) error {
	for name, value := range map[string]string{
		"runner": "prism", "environment_type": "EXTERNAL", "environment_config": p.Endpoint(), "worker_binary": os.DevNull,
	} {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// A command holds the flags and arguments after a verb.
type command struct {
	out, dtype, op              string
	shape, chunks, blocks, axes []int64
	shards                      int
	args                        []string
	pipeline                    *beam.Pipeline
	scope                       beam.Scope
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return misuse("a verb is missing; must be compress, convert, rechunk, reduce or stats")
	}
	verbs := map[string]func(*command, context.Context) error{
		"compress": (*command).compress, "convert": (*command).convert, "rechunk": (*command).rechunk, "reduce": (*command).reduce, "stats": (*command).stats,
	}
	verb := verbs[args[0]]
	if verb == nil {
		return misuse("%q is not a verb; must be compress, convert, rechunk, reduce or stats", args[0])
	}
	var c command
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&c.out, "o", "", "the file to write")
	f.StringVar(&c.dtype, "dtype", "<f4", "the type of the items, as NumPy writes it")
	f.StringVar(&c.op, "op", "mean", "the statistic to compute")
	f.IntVar(&c.shards, "shards", 0, "the number of parts to divide the work into; 0 chooses")
	for name, list := range map[string]*[]int64{"shape": &c.shape, "chunks": &c.chunks, "blocks": &c.blocks, "axis": &c.axes} {
		f.Func(name, "whole numbers", func(text string) error { return parseList(text, list) })
	}
	if err := f.Parse(args[1:]); err != nil {
		return misuse("%s: %w", args[0], err)
	}
	c.args = f.Args()
	if args[0] != "stats" && (len(c.args) != 1 || c.out == "") {
		return misuse("%s: one input and -o OUT are required", args[0])
	}
	c.pipeline, c.scope = beam.NewPipelineWithRoot()
	if err := verb(&c, ctx); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return beamx.Run(ctx, c.pipeline)
}

func parseList(text string, list *[]int64) error {
	*list = nil
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
		if err != nil {
			return fmt.Errorf("%q: must be a whole number", word)
		}
		*list = append(*list, n)
	}
	return nil
}

// These determine the number of shards if it is not set: the bytes of items that each
// shard should have.
const (
	gatheredGoal = 16 << 20 // a worker holds several shards at a time
	streamedGoal = 64 << 20 // a worker holds a few chunks; with fewer shards, fewer files are synced
	// storeShards is the largest number of shards of an object, in any store: a shard
	// needs two of the 10,000 part numbers of S3.
	storeShards = 4999
)

// plan plans the array in shards of about goal bytes.
func (c *command) plan(spec b2nd.Spec, goal int64) (*shard.Plan, error) {
	n := c.shards
	if n == 0 {
		cut, err := spec.Cut()
		if err != nil {
			return nil, err
		}
		chunks := max(cut.NumChunks(), 1)
		n = int(min(max(chunks*cut.ChunkBytes()/goal, 1), chunks))
		if strings.Contains(c.out, "://") {
			n = min(n, storeShards)
		}
	}
	return shard.NewArrayPlan(spec, n)
}

func (c *command) compress(ctx context.Context) error {
	if c.shape == nil {
		return misuse("--shape is required")
	}
	in, err := b2io.InputOf(ctx, c.args[0])
	if err != nil {
		return err
	}
	if strings.HasSuffix(in.Name, ".npy") {
		return fmt.Errorf("%s: is a .npy file, not raw items; b2beam convert reads it", in.Name)
	}
	return c.items(in, 0)
}

// convert makes an array of a .npy file, whose header has its shape and dtype.
func (c *command) convert(ctx context.Context) error {
	if c.shape != nil {
		return misuse("--shape is that of the .npy file")
	}
	in, err := b2io.InputOf(ctx, c.args[0])
	if err != nil {
		return err
	}
	file, err := b2io.Open(ctx, in.Name)
	if err != nil {
		return err
	}
	r := io.NewSectionReader(file, 0, in.Size)
	h, err := npy.ReadHeader(r)
	off, _ := r.Seek(0, io.SeekCurrent)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if h.Fortran && len(h.Shape) > 1 {
		return fmt.Errorf("%s: is in Fortran order; blosc2 convert reads it", in.Name)
	}
	c.shape, c.dtype = h.Shape, h.DType
	return c.items(in, off)
}

// items adds the pipeline for items in C order, which begin at byte off of the input
// and fill the rest of it.
func (c *command) items(in b2io.Input, off int64) error {
	spec := b2nd.Spec{Shape: c.shape, DType: c.dtype, ChunkShape: c.chunks, BlockShape: c.blocks}
	p, err := c.plan(spec, streamedGoal)
	if err != nil {
		return err
	}
	want := int64(p.Header().TypeSize)
	for _, n := range c.shape {
		want *= n
	}
	if in.Size-off != want {
		return fmt.Errorf("%s: %d bytes of items, but shape %v of %s has %d", in.Name, in.Size-off, c.shape, c.dtype, want)
	}
	b2io.Compress(c.scope, c.out, p, in.Name, off, in)
	return nil
}

func (c *command) rechunk(ctx context.Context) error {
	in, err := b2io.InputOf(ctx, c.args[0])
	if err != nil {
		return err
	}
	spec, err := b2io.SpecOf(ctx, in.Name)
	if err != nil {
		return err
	}
	spec.ChunkShape, spec.BlockShape = c.chunks, c.blocks
	p, err := c.plan(spec, gatheredGoal)
	if err != nil {
		return err
	}
	b2io.Write(c.scope, c.out, p, b2io.Read(c.scope, in.Name), in)
	return nil
}

func (c *command) reduce(ctx context.Context) error {
	op, err := reduce.ParseOp(c.op)
	if err != nil {
		return err
	}
	var axes []int
	for _, a := range c.axes {
		axes = append(axes, int(a))
	}
	if c.shards == 0 {
		c.shards = 64
	}
	in, err := b2io.InputOf(ctx, c.args[0])
	if err != nil {
		return err
	}
	p, err := b2io.ReducePlan(ctx, in.Name, op, axes, c.shards)
	if err != nil {
		return err
	}
	b2io.Reduce(c.scope, c.out, p, in.Name, op, axes, in)
	return nil
}

func (c *command) stats(ctx context.Context) error {
	if len(c.args) == 0 {
		return misuse("an input is required")
	}
	if err := b2io.CheckNumbers(ctx, c.args...); err != nil {
		return err
	}
	beam.ParDo0(c.scope, printStats, b2io.Describe(c.scope, b2io.Read(c.scope, c.args...)))
	return nil
}

// printStats writes to the output of the worker, which with the default runner is
// that of the program.
func printStats(s b2io.Stats) {
	fmt.Fprintf(stdout, "count %d\nnan %d\nmin %v\nmax %v\nsum %v\nmean %v\nstd %v\n", s.Count, s.NaN, s.Min, s.Max, s.Sum, s.Mean, s.Std())
}
