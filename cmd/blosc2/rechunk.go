package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/rechunk"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// partitionFlags are the flags for the chunk and block shapes of an array.
type partitionFlags struct {
	Chunks, Blocks []int64
}

// define defines the flags. chunks and blocks say what the defaults are.
func (f *partitionFlags) define(g *grammar, chunks, blocks string) {
	g.Func("chunks", "Chunk shape `N,...` of the array, in items; default: "+chunks+".", shapeTo(&f.Chunks))
	g.Func("blocks", "Block shape `N,...` of the array, in items; default: "+blocks+".", shapeTo(&f.Blocks))
}

func shapeTo(to *[]int64) func(string) error {
	return func(text string) error {
		*to = nil
		for _, word := range strings.Split(text, ",") {
			n, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
			if err != nil || n < 1 || n > math.MaxInt32 {
				return fmt.Errorf("%q: must be a positive whole number", word)
			}
			*to = append(*to, n)
		}
		return nil
	}
}

// recodeFlags are the flags that change the compression of a new array from that
// of the old one.
type recodeFlags struct {
	Codec, Filters string
	Level          *int
}

func (f *recodeFlags) define(g *grammar) {
	g.StringVarP(&f.Codec, "codec", "c", "", "Compress the new array with `CODEC[:META]`: {codecs}; default: as in FILE.")
	g.number(&f.Level, "level", "l", "Compression level `0..9` of the new array; default: as in FILE.")
	g.StringVar(&f.Filters, "filters", "", "Filters `FILTER[:META],...` of the new array: {filters}; default: as in FILE.")
}

// checkShapes returns an error if blocks are larger than chunks: each chunk would be padded to its
// block.
func (f *partitionFlags) checkShapes() error {
	for d := range min(len(f.Chunks), len(f.Blocks)) {
		if f.Blocks[d] > f.Chunks[d] {
			return misusef("--blocks %s: larger than --chunks %s", shapeText(f.Blocks), shapeText(f.Chunks))
		}
	}
	return nil
}

// params returns the compression parameters of a new array.
func (f *recodeFlags) params(of *chunk.Params) (_ *chunk.Params, err error) {
	p := *of
	if f.Codec != "" {
		if p.Codec, p.CodecMeta, err = parseCodec(f.Codec); err != nil {
			return nil, err
		}
		p.Dict = p.Dict && p.Codec == blosc2.CodecZstd
	}
	if f.Level != nil {
		p.Level = *f.Level
	}
	if f.Filters != "" {
		if p.Filters, err = filters.Parse(f.Filters); err != nil {
			return nil, misusef("--filters %s: %s", f.Filters, plain(err))
		}
	}
	return &p, nil
}

// rechunkCmd is "blosc2 rechunk".
type rechunkCmd struct {
	outFlags
	partitionFlags
	recodeFlags
	shardFlag
	Memory size
	DryRun bool
	File   string
}

func (c *rechunkCmd) define(g *grammar) {
	c.Memory = 1 << 30
	c.outFlags.define(g)
	c.partitionFlags.define(g, "chosen as in python-blosc2", "chosen from the chunks")
	c.recodeFlags.define(g)
	c.shardFlag.define(g)
	g.bytes(&c.Memory, "memory", "Use at most `SIZE` bytes of memory, such as 2G; default: 1G.")
	g.BoolVar(&c.DryRun, "dry-run", false, "Print the plan and exit.")
	g.argument(&c.File, "FILE", "Array to rechunk.")
}

// check returns an error for flags that cannot be combined.
func (c *rechunkCmd) check(*grammar) error {
	if err := c.checkShapes(); err != nil {
		return err
	}
	if c.shardFlag.given() && !c.DryRun {
		return c.shardFlag.checkFolder(c.Out)
	}
	return nil
}

// overhead is the memory of a process in addition to that which the limit of the Go
// runtime covers: the resident pages of the program itself, and an allowance, because
// the runtime may exceed the limit.
const overhead = 24 << 20

// Run rechunks the array, or writes a shard of the new one.
func (c *rechunkCmd) Run(e *env) error {
	in, a, err := e.openArray(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	spec := a.Spec()
	spec.ChunkShape, spec.BlockShape = c.Chunks, c.Blocks
	if spec.Params, err = c.params(spec.Params); err != nil {
		return err
	}
	debug.SetMemoryLimit(max(int64(c.Memory)-overhead, int64(c.Memory)/2))
	if c.shardFlag.given() || isURL(c.Out) {
		return c.makeShard(e, in, a, spec)
	}
	plan, err := rechunk.NewPlan(a, spec, int64(c.Memory))
	if err != nil {
		return withName(c.File, err)
	}
	if c.DryRun {
		text := ""
		for i, st := range plan.Stages {
			what := ""
			if i < len(plan.Stages)-1 {
				what = ", temporary"
			}
			text += stageText(fmt.Sprintf("stage %d of %d", i+1, len(plan.Stages)), st, what, st.Reads, plan.Size)
		}
		return e.print(text)
	}
	if err := e.mayReplace(c.outFlags); err != nil {
		return err
	}
	e.watchSignals()
	bar := e.newBar(c.Out, plan.Size*int64(len(plan.Stages)))
	defer bar.end()
	before, last := int64(0), int64(0) // bytes written in earlier stages, and in this one
	progress := stream.Progress(func(s stream.Stats) {
		if s.Bytes < last { // the next stage has begun
			before = plan.Size
		}
		last = s.Bytes
		bar.add(before + last)
	})
	if err := plan.WriteFile(c.Out, a, progress); err != nil {
		return withName(c.concerned(err), err)
	}
	return e.noteMade(c.Out, "")
}

// concerned returns the name of the file that an error is about. A system error is
// about the output, or the temporary array next to it, unless it names the input. Any
// other error is about the input.
func (c *rechunkCmd) concerned(err error) string {
	pe, ok := errors.AsType[*fs.PathError](err)
	if _, linking := errors.AsType[*os.LinkError](err); linking || ok && !strings.HasPrefix(c.File, pe.Path) {
		return c.Out
	}
	return c.File
}

// makeShard writes one shard of the new array, in one stage.
func (c *rechunkCmd) makeShard(e *env, in steady, a *b2nd.Array, spec b2nd.Spec) error {
	plan, err := shard.NewArrayPlan(spec, c.shards())
	if err != nil {
		return withName(c.File, err)
	}
	one, err := rechunk.NewOneStage(a, spec, int64(c.Memory))
	if err != nil {
		return withName(c.File, err)
	}
	if c.DryRun {
		return c.dryShard(e, a, plan, one)
	}
	fill, err := one.Fill(plan, a)
	if err != nil {
		return withName(c.File, err)
	}
	return c.shardFlag.make(e, c.outFlags, plan.WithSource(in.source()), in.guard(fill))
}

// muchMore is the least factor for which dryShard advises against a shard: the bytes
// that the shard must decode, divided by those of its items.
const muchMore = 4

// dryShard prints how many bytes must be read to make the shard.
func (c *rechunkCmd) dryShard(e *env, a *b2nd.Array, plan *shard.Plan, one *rechunk.Plan) error {
	reads, size, err := one.ShardReads(plan, a, c.K)
	if err != nil {
		return withName(c.File, err)
	}
	text := stageText(fmt.Sprintf("shard %d of %d", c.K, c.shards()), one.Stages[0], "", reads, size)
	if size > 0 && reads/size >= muchMore {
		text += fmt.Sprintf("reads %d times its size: use fewer shards or more --memory", reads/size)
		if two, err := rechunk.NewPlan(a, one.Stages[0].Spec, int64(c.Memory)); err == nil && len(two.Stages) == 2 {
			text += fmt.Sprintf(", or rechunk in two runs, the first with --chunks %s", commaed(two.Stages[0].Spec.ChunkShape))
		}
		text += "\n"
	}
	return e.print(text)
}

// stageText describes a stage, which reads all items once.
func stageText(name string, st rechunk.Stage, what string, reads, size int64) string {
	return fmt.Sprintf("%s: --chunks %s --blocks %s%s; reads %s for %s, at most %s items at once\n",
		name, commaed(st.Spec.ChunkShape), commaed(st.Spec.BlockShape), what, count(reads, "byte"), commas(size), commaed(st.Items))
}

// commaed formats a shape as flags accept it, with commas.
func commaed(shape []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", ",")
}
