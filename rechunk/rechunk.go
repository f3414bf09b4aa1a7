// Package rechunk changes how an array of any size is cut into chunks and blocks,
// within a given memory.
//
//	plan, err := rechunk.NewPlan(array, spec, 2<<30)
//	fmt.Print(plan)
//	err = plan.WriteFile("out.b2nd", array)
//
// The new array is made chunk by chunk in their order. Each read of the old
// array makes as many chunks as fit into memory, and decodes only the blocks
// that hold their items. If the blocks of the old array would be decoded many
// times, a [Plan] has two stages: the first makes a temporary array with chunks
// in between.
//
// Several machines can rechunk one array with [Plan.Fill] and package shard, in
// one stage: see [NewOneStage].
package rechunk

import (
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/shard"
)

// Fill returns a shard.Fill that makes the plan's array from the items of src, which must
// be of the same shape and item size. It holds at most about memory bytes of items, but
// at least those of one chunk. It is for one shard.Plan.WriteShard at a time.
func Fill(p *shard.Plan, src *b2nd.Array, memory int64) (shard.Fill, error) {
	if err := framing.Need(p != nil, "plan", "a *shard.Plan"); err != nil {
		return nil, err
	}
	if err := framing.Need(src != nil, "source", "a *b2nd.Array"); err != nil {
		return nil, err
	}
	f, err := newFiller(p, src, memory)
	if err != nil {
		return nil, err
	}
	return f.fill, nil
}

func newFiller(p *shard.Plan, src *b2nd.Array, memory int64) (*filler, error) {
	desc := p.Descriptor()
	if desc == nil || !slices.Equal(desc.Shape, src.Shape()) || int(p.Header().TypeSize) != src.ItemSize() {
		return nil, &blosc2.OptionError{Option: "array", Value: src.Shape(), Range: "of the plan's shape and item size"}
	}
	cut, err := b2nd.NewCut(desc, src.ItemSize())
	if err != nil {
		return nil, err
	}
	return &filler{plan: p, src: src, cut: cut, run: longest(cut, memory)}, nil
}

// Fill calls the function Fill with the memory that the plan leaves for items.
func (p *Plan) Fill(to *shard.Plan, src *b2nd.Array) (shard.Fill, error) {
	return Fill(to, src, p.room(to, src))
}

// room returns the memory that the plan leaves for items.
func (p *Plan) room(to *shard.Plan, src *b2nd.Array) int64 {
	return itemRoom(p.Memory, max(int64(to.Header().ChunkSize), int64(src.Frame().Header().ChunkSize)))
}

// ShardReads returns how many bytes of src are decoded to make shard k of the plan's
// array in one stage, and how many bytes of items the shard has. A block that is
// decoded several times counts as often.
func (p *Plan) ShardReads(to *shard.Plan, src *b2nd.Array, k int) (reads, size int64, err error) {
	if err := framing.Need(to != nil, "plan", "a *shard.Plan"); err != nil {
		return 0, 0, err
	}
	if err := framing.Need(src != nil, "source", "a *b2nd.Array"); err != nil {
		return 0, 0, err
	}
	f, err := newFiller(to, src, p.room(to, src))
	if err != nil {
		return 0, 0, err
	}
	if k < 0 || k >= to.Shards() {
		return 0, 0, &blosc2.OptionError{Option: "shard", Value: k, Range: fmt.Sprintf("0 to %d", to.Shards()-1)}
	}
	shape, chunk, block := src.Shape(), src.ChunkShape(), src.BlockShape()
	for n, end := to.Chunks(k); n < end; {
		count, w := f.run.from(f.cut, n, end)
		items := int64(src.ItemSize())
		for d, s := range w {
			items *= decoded(shape[d], s.Start, s.Stop, chunk[d], block[d])
		}
		reads += items
		size += bytesOf(w, src.ItemSize())
		n += count
	}
	return reads, size, nil
}

// A filler makes chunks in runs that are read together.
type filler struct {
	plan *shard.Plan
	src  *b2nd.Array
	cut  *b2nd.Cut
	run  run

	end    int64 // items holds the chunks of the run up to this one (exclusive)
	window b2nd.Window
	items  []byte // buffer for the longest run
}

func (f *filler) fill(dst []byte, n int64) error {
	if f.window == nil || n >= f.end {
		if err := f.read(n); err != nil {
			return err
		}
	}
	return f.cut.Pack(dst, n, f.items, f.window)
}

// read reads the items of the run that begins at chunk n, up to the end of its
// shard.
func (f *filler) read(n int64) error {
	last := f.cut.NumChunks()
	for k := range f.plan.Shards() {
		if first, end := f.plan.Chunks(k); first <= n && n < end {
			last = end
			break
		}
	}
	count, w := f.run.from(f.cut, n, last)
	if f.items == nil {
		// All runs share one buffer. If a short first run had a separate one, both
		// would be resident until the next garbage collection.
		most := int64(f.cut.ItemSize())
		for _, n := range f.run.items(f.cut) {
			most *= n
		}
		f.items = make([]byte, most)
	}
	f.items, f.window = f.items[:bytesOf(w, f.cut.ItemSize())], nil
	if err := f.src.ReadWindow(f.items, w); err != nil {
		return err
	}
	f.window, f.end = w, n+count
	return nil
}

func bytesOf(w b2nd.Window, item int) int64 {
	n := int64(item)
	for _, s := range w {
		n *= s.Stop - s.Start
	}
	return n
}

// A run is the chunks that are read together: a number of chunks along one
// dimension, all along those after it, and one along those before it. They are
// consecutive in C order, and their items form a window.
type run struct {
	dim    int
	chunks int64
}

// longest returns the longest run with items that fit in the given number of bytes.
func longest(cut *b2nd.Cut, memory int64) run {
	shape, chunk, counts := cut.Shape(), cut.ChunkShape(), cut.ChunkCounts()
	size := int64(cut.ItemSize())
	for d := range shape {
		size *= min(chunk[d], shape[d])
	}
	r := run{dim: len(shape), chunks: 1}
	for d := len(shape) - 1; d >= 0; d-- {
		if size > memory/max(counts[d], 1) { // not all of them; the last may be short
			return run{d, min(max(memory/max(size, 1), 1), max(counts[d], 1))}
		}
		r = run{d, max(counts[d], 1)}
		size = size / max(min(chunk[d], shape[d]), 1) * shape[d]
	}
	return r
}

// items returns the largest number of items of the run along each dimension.
func (r run) items(cut *b2nd.Cut) []int64 {
	shape, chunk := cut.Shape(), cut.ChunkShape()
	items := make([]int64, len(shape))
	for d, n := range shape {
		switch {
		case d < r.dim:
			n = min(chunk[d], n)
		case d == r.dim:
			n = min(r.chunks*chunk[d], n)
		}
		items[d] = n
	}
	return items
}

// from returns how many chunks, beginning with n and before end, are read together,
// and the window of their items. Runs begin at multiples of their length, so that
// they depend little on the start of a shard.
func (r run) from(cut *b2nd.Cut, n, end int64) (count int64, w b2nd.Window) {
	counts, shape, chunk := cut.ChunkCounts(), cut.Shape(), cut.ChunkShape()
	w = cut.Window(n)
	if len(counts) == 0 {
		return 1, w
	}
	at := make([]int64, len(counts))
	for d, i := len(counts)-1, n; d >= 0; d-- {
		at[d], i = i%counts[d], i/counts[d]
	}
	dim, most := r.dim, r.chunks
	if dim == len(counts) {
		return 1, w
	}
	for {
		inner := int64(1)
		begins := true
		for d := dim + 1; d < len(counts); d++ {
			inner *= counts[d]
			begins = begins && at[d] == 0
		}
		k := min(most-at[dim]%most, counts[dim]-at[dim], (end-n)/inner)
		if begins && k > 0 {
			w[dim].Stop = min((at[dim]+k)*chunk[dim], shape[dim])
			for d := dim + 1; d < len(counts); d++ {
				w[d] = b2nd.Span{Stop: shape[d], Step: 1}
			}
			return k * inner, w
		}
		dim++ // the loop ends at the last dimension, where inner is 1
		most = counts[dim]
	}
}

// A Stage is one pass over all items.
type Stage struct {
	Spec  b2nd.Spec // the array that the stage makes
	Items []int64   // number of items read together along each dimension
	Reads int64     // bytes decoded, including blocks that are read again
}

// A Plan describes how an array is rechunked.
type Plan struct {
	Stages []Stage // one or two; the last makes the array
	Size   int64   // bytes of all items
	Memory int64   // the memory limit for WriteFile
}

// String describes the plan, a line for each stage.
func (p *Plan) String() string {
	s := ""
	for i, st := range p.Stages {
		to := ""
		if i < len(p.Stages)-1 {
			to = ", temporary"
		}
		s += fmt.Sprintf("stage %d of %d: chunks %v, blocks %v%s; reads %d bytes for %d, at most %v items at once\n",
			i+1, len(p.Stages), st.Spec.ChunkShape, st.Spec.BlockShape, to, st.Reads, p.Size, st.Items)
	}
	return s
}
