package b2io

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/seed03b80dae/blosc2/reduce"
	"github.com/seed03b80dae/blosc2/shard"
)

func init() {
	register.DoFn3x1[context.Context, int, func(int, int), error](&compressFn{})
	register.DoFn3x1[context.Context, int, func(int, int), error](&reduceFn{})
}

// Compress makes the file that the plan describes from a file of raw items in C
// order, which begin at byte off, and returns a PCollection<string> of its
// name. Each worker reads the items of its shards, so no items are sent between
// workers. inputs is as for Write.
func Compress(s beam.Scope, out string, plan *shard.Plan, in string, off int64, inputs ...Input) beam.PCollection {
	s = s.Scope("b2io.Compress")
	text := planFor(plan, inputs)
	f := &compressFn{Plan: text, In: in, Offset: off, Out: out}
	return assemble(s, out, text, inputs, beam.ParDo(s, f, beam.Reshuffle(s, numbers(s, plan.Shards()))))
}

type compressFn struct {
	Plan   []byte
	In     string
	Offset int64
	Out    string
}

// ProcessElement makes shard k.
func (f *compressFn) ProcessElement(ctx context.Context, k int, emit func(int, int)) error {
	l, err := parsePlan(f.Plan)
	if err != nil {
		return err
	}
	file, err := Open(ctx, f.In)
	if err != nil {
		return err
	}
	err = makeShard(ctx, f.Out, l.plan, k, l.plan.FromReaderAt(from{file, f.Offset}))
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("%s: %w", f.In, err)
	}
	emit(0, k)
	return nil
}

// from reads a file starting at an offset.
type from struct {
	File
	off int64
}

// ReadAt implements io.ReaderAt, relative to the offset.
func (f from) ReadAt(p []byte, off int64) (int, error) { return f.File.ReadAt(p, f.off+off) }

// ReducePlan plans the array that Reduce makes, in at most the given number of
// shards.
func ReducePlan(ctx context.Context, in string, op reduce.Op, axes []int, shards int) (*shard.Plan, error) {
	src, r, err := openReduction(ctx, in, op, axes)
	if err != nil {
		return nil, err
	}
	defer src.close()
	cut, err := r.Spec().Cut()
	if err != nil {
		return nil, err
	}
	return shard.NewArrayPlan(r.Spec(), int(min(max(cut.NumChunks(), 1), int64(shards))))
}

// Reduce reduces the array in along some axes, as package reduce does, and
// returns a PCollection<string> of the new array's name. The plan is that of
// ReducePlan. Each worker reads the items for its part of the result.
// inputs is as for Write.
func Reduce(s beam.Scope, out string, plan *shard.Plan, in string, op reduce.Op, axes []int, inputs ...Input) beam.PCollection {
	s = s.Scope("b2io.Reduce")
	text := planFor(plan, inputs)
	f := &reduceFn{Plan: text, In: in, Op: int(op), Axes: axes, Out: out}
	return assemble(s, out, text, inputs, beam.ParDo(s, f, beam.Reshuffle(s, numbers(s, plan.Shards()))))
}

type reduceFn struct {
	Plan []byte
	In   string
	Op   int
	Axes []int
	Out  string
}

// ProcessElement makes shard k.
func (f *reduceFn) ProcessElement(ctx context.Context, k int, emit func(int, int)) error {
	l, err := parsePlan(f.Plan)
	if err != nil {
		return err
	}
	src, r, err := openReduction(ctx, f.In, reduce.Op(f.Op), f.Axes)
	if err != nil {
		return err
	}
	defer src.close()
	if err := makeShard(ctx, f.Out, l.plan, k, r.Fill); err != nil {
		return fmt.Errorf("%s: %w", f.In, err)
	}
	emit(0, k)
	return nil
}

func openReduction(ctx context.Context, in string, op reduce.Op, axes []int) (*source, *reduce.Reduction, error) {
	src, err := openSource(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	if src.array == nil {
		err = errors.New("is not an array")
	}
	var r *reduce.Reduction
	if err == nil {
		r, err = reduce.New(src.array, op, axes...)
	}
	if err != nil {
		src.close()
		return nil, nil, fmt.Errorf("%s: %w", in, err)
	}
	return src, r, nil
}
