package rechunk

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// MinMemory is the least memory that a Plan accepts, in bytes.
const MinMemory = 32 << 20

const (
	// worthAStage is how much a second stage must save of the cost of reading and
	// writing, in tenths of the cost of a single stage.
	worthAStage = 8
	// These are the sizes of chunks of a temporary array.
	leastMid, mostMid = 64 << 10, 32 << 20
	// mostTried is the number of chunk shapes tried for a temporary array.
	mostTried = 4096
)

// NewPlan plans how to make the array that spec describes from src, which has the
// same shape and dtype, with about memory bytes. Shape and DType of spec may be
// omitted. Chunks that are too large for the memory return a *blosc2.OptionError.
func NewPlan(src *b2nd.Array, spec b2nd.Spec, memory int64) (*Plan, error) {
	if err := framing.Need(src != nil, "source", "a *b2nd.Array"); err != nil {
		return nil, err
	}
	return newPlan(src, spec, memory, true)
}

// NewOneStage is like NewPlan, without a temporary array, for shards: see
// Plan.Fill.
func NewOneStage(src *b2nd.Array, spec b2nd.Spec, memory int64) (*Plan, error) {
	if err := framing.Need(src != nil, "source", "a *b2nd.Array"); err != nil {
		return nil, err
	}
	return newPlan(src, spec, memory, false)
}

func newPlan(src *b2nd.Array, spec b2nd.Spec, memory int64, staged bool) (*Plan, error) {
	own := src.Spec()
	if spec.Shape == nil {
		spec.Shape = own.Shape
	}
	if spec.DType == "" && spec.ItemSize == 0 {
		spec.DType, spec.ItemSize = own.DType, own.ItemSize
	}
	if spec.Params == nil {
		spec.Params = own.Params
	}
	if memory < MinMemory {
		return nil, &blosc2.OptionError{Option: "memory", Value: memory, Range: fmt.Sprintf("%d or more", MinMemory)}
	}
	to, err := spec.Cut()
	if err != nil {
		return nil, err
	}
	if !slices.Equal(to.Shape(), src.Shape()) || to.ItemSize() != src.ItemSize() {
		return nil, &blosc2.OptionError{Option: "shape", Value: to.Shape(), Range: fmt.Sprintf("%v with items of %d bytes, like the array", src.Shape(), src.ItemSize())}
	}
	spec.ChunkShape, spec.BlockShape = to.ChunkShape(), to.BlockShape()
	from, err := own.Cut()
	if err != nil {
		return nil, err
	}
	p := &Plan{Size: src.Size(), Memory: memory}
	room := itemRoom(memory, max(to.ChunkBytes(), from.ChunkBytes()))
	if room < to.ChunkBytes() {
		return nil, &blosc2.OptionError{Option: "memory", Value: memory, Range: fmt.Sprintf("at least %d, for chunks of %d and %d bytes with %d workers",
			leastMemory(from.ChunkBytes(), to.ChunkBytes()), from.ChunkBytes(), to.ChunkBytes(), runtime.GOMAXPROCS(0))}
	}
	one := stage(from, to, spec, room)
	p.Stages = []Stage{one}
	if !staged {
		return p, nil
	}
	best := (one.Reads + p.Size) / 10 * worthAStage
	for _, mid := range middles(from, to) {
		s := own
		s.ChunkShape, s.BlockShape, s.Params = mid, nil, &temporary
		cut, err := s.Cut()
		if err != nil || cut.ChunkBytes() > room {
			continue
		}
		s.BlockShape = cut.BlockShape()
		first, second := stage(from, cut, s, room), stage(cut, to, spec, room)
		if cost := first.Reads + second.Reads + 2*p.Size; cost < best {
			best, p.Stages = cost, []Stage{first, second}
		}
	}
	return p, nil
}

// temporary determines how the array between two stages is compressed, for speed.
var temporary = chunk.Params{Codec: blosc2.CodecLZ4, Level: 1, Filters: filters.Default()}

// itemRoom returns how many bytes of items may be in memory: three quarters of the
// memory, minus the chunks in flight and their compressed forms.
func itemRoom(memory, chunkBytes int64) int64 {
	return memory/4*3 - 16<<20 - 2*chunkBytes*int64(runtime.GOMAXPROCS(0)+2)
}

// leastMemory returns the least memory, in whole MiB, with room for the items of a
// chunk of to bytes: the inverse of itemRoom.
func leastMemory(from, to int64) int64 {
	need := to - itemRoom(0, max(from, to))
	const mib = 1 << 20
	return (need/3*4 + 4 + mib - 1) / mib * mib
}

// stage returns the stage that makes one array from another.
func stage(from, to *b2nd.Cut, spec b2nd.Spec, room int64) Stage {
	r := longest(to, room)
	s := Stage{Spec: spec, Items: r.items(to), Reads: int64(from.ItemSize())}
	counts := to.ChunkCounts()
	for d, n := range to.Shape() {
		if counts[d] > 0 {
			s.Reads *= touched(n, s.Items[d], from.ChunkShape()[d], from.BlockShape()[d])
		}
	}
	return s
}

// touched returns how many items along a dimension are in the blocks decoded by
// reading it in pieces of n items.
func touched(shape, n, chunk, block int64) int64 {
	// The pattern repeats, so a few thousand pieces are enough for an estimate.
	const most = 4096
	sum, seen := int64(0), int64(0)
	for lo := int64(0); lo < shape && seen < most; lo += n {
		sum += decoded(shape, lo, min(lo+n, shape), chunk, block)
		seen++
	}
	if pieces := (shape + n - 1) / n; pieces > seen {
		sum = int64(float64(sum) / float64(seen) * float64(pieces))
	}
	return sum
}

// decoded returns how many items along a dimension are in the blocks that hold those
// from lo to before hi.
func decoded(shape, lo, hi, chunk, block int64) int64 {
	first := lo/chunk*chunk + lo%chunk/block*block
	last := (hi - 1) / chunk * chunk
	last += min(((hi-1)%chunk/block+1)*block, chunk)
	return min(last, shape) - first
}

// middles returns candidate chunk shapes for a temporary array between the arrays of two
// Cuts.
func middles(from, to *b2nd.Cut) [][]int64 {
	shape := from.Shape()
	all := [][]int64{nil}
	for d := range shape {
		a, b := min(from.ChunkShape()[d], shape[d]), min(to.ChunkShape()[d], shape[d])
		lo, hi := min(a, b), max(a, b)
		sides := []int64{lo, hi}
		for n := lo * 2; n < hi; n *= 2 {
			sides = append(sides, n)
		}
		slices.Sort(sides)
		sides = slices.Compact(sides)
		var next [][]int64
		for _, m := range all {
			for _, n := range sides {
				if next = append(next, append(slices.Clone(m), max(n, 1))); len(next) > mostTried {
					break
				}
			}
		}
		all = next
	}
	return slices.DeleteFunc(all, func(m []int64) bool {
		size := int64(from.ItemSize())
		for _, n := range m {
			size *= n
		}
		return size < leastMid || size > mostMid
	})
}
