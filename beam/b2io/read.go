package b2io

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/seed03b80dae/blosc2/b2nd"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&matchFn{})
	register.DoFn4x1[context.Context, *sdf.LockRTracker, string, func(Window), error](&readFn{})
	register.DoFn3x1[context.Context, Request, func(Window), error](&windowsFn{})
	register.Emitter1[string]()
	register.Emitter1[Window]()
	beam.RegisterType(reflect.TypeFor[Request]())
}

// Read returns the chunks of frames and arrays, one Window each, without the
// padding of an array's chunks. Each name is a path, a pattern of path/filepath or
// a URL. A name that matches no file fails the pipeline.
func Read(s beam.Scope, names ...string) beam.PCollection {
	s = s.Scope("b2io.Read")
	return ReadAll(s, beam.CreateList(s, names))
}

// ReadAll is Read for a PCollection<string> of names.
func ReadAll(s beam.Scope, names beam.PCollection) beam.PCollection {
	s = s.Scope("b2io.ReadAll")
	files := beam.ParDo(s, &matchFn{}, names)
	return beam.ParDo(s, &readFn{}, beam.Reshuffle(s, files))
}

// matchFn finds the files that a pattern names.
type matchFn struct{}

// ProcessElement returns the files that match a name.
func (*matchFn) ProcessElement(_ context.Context, name string, emit func(string)) error {
	files, err := match(name)
	if err != nil {
		return err
	}
	for _, f := range files {
		emit(f)
	}
	return nil
}

// readFn reads the chunks of a file. Its restrictions are ranges of their numbers.
type readFn struct{}

// firstSplits is the number of parts that a file is split into before the runner asks
// for more. Each opens the file again, which costs two requests if it is remote.
const firstSplits = 32

// CreateInitialRestriction returns the range of all chunks of a file.
func (*readFn) CreateInitialRestriction(ctx context.Context, name string) (offsetrange.Restriction, error) {
	src, err := openSource(ctx, name)
	if err != nil {
		return offsetrange.Restriction{}, err
	}
	defer src.close()
	return offsetrange.Restriction{End: src.frame.NumChunks()}, nil
}

// SplitRestriction splits the chunks into parts.
func (*readFn) SplitRestriction(_ string, r offsetrange.Restriction) []offsetrange.Restriction {
	return r.EvenSplits(min(max(r.End-r.Start, 1), firstSplits))
}

// RestrictionSize returns the number of chunks.
func (*readFn) RestrictionSize(_ string, r offsetrange.Restriction) float64 { return r.Size() }

// CreateTracker returns a tracker that records which chunks were claimed.
func (*readFn) CreateTracker(r offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(r))
}

// ProcessElement returns the chunks that it can claim.
func (*readFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, name string, emit func(Window)) error {
	r := rt.GetRestriction().(offsetrange.Restriction)
	if r.Start >= r.End {
		rt.TryClaim(r.End)
		return nil
	}
	src, err := openSource(ctx, name)
	if err != nil {
		return err
	}
	defer src.close()
	return src.chunks(r.Start, func(n int64) bool { return rt.TryClaim(n) }, emit)
}

// A Request names the part of an array to read: items from Start up to Stop along
// each dimension, or the whole array if both are nil.
type Request struct {
	Name        string
	Start, Stop []int64
}

// ReadWindows returns a Window for each Request of a PCollection<Request>. Only the
// blocks that a window needs are read. A window that is not within the array fails
// the pipeline.
func ReadWindows(s beam.Scope, requests beam.PCollection) beam.PCollection {
	s = s.Scope("b2io.ReadWindows")
	return beam.ParDo(s, &windowsFn{}, requests)
}

type windowsFn struct{}

// ProcessElement returns the window that is requested.
func (*windowsFn) ProcessElement(ctx context.Context, r Request, emit func(Window)) error {
	src, err := openSource(ctx, r.Name)
	if err != nil {
		return err
	}
	defer src.close()
	shape := src.shape()
	if r.Start == nil && r.Stop == nil {
		r.Start, r.Stop = make([]int64, len(shape)), slices.Clone(shape)
	}
	if len(r.Start) != len(shape) || len(r.Stop) != len(shape) {
		return fmt.Errorf("b2io: %s: window from %v to %v is not within the array of shape %v", r.Name, r.Start, r.Stop, shape)
	}
	v := make(b2nd.Window, len(shape))
	for d := range v {
		if r.Start[d] < 0 || r.Stop[d] < r.Start[d] || r.Stop[d] > shape[d] {
			return fmt.Errorf("b2io: %s: window from %v to %v is not within the array of shape %v", r.Name, r.Start, r.Stop, shape)
		}
		v[d] = b2nd.Span{Start: r.Start[d], Stop: r.Stop[d], Step: 1}
	}
	w, err := src.read(v)
	if err != nil {
		return fmt.Errorf("b2io: %s: %w", r.Name, err)
	}
	emit(w)
	return nil
}

// shape returns the shape of the array, or the number of items of a frame.
func (s *source) shape() []int64 {
	if s.array != nil {
		return s.array.Shape()
	}
	w := s.window()
	item := int64(w.ItemSize)
	if s.frame.Size()%item != 0 {
		item = 1
	}
	return []int64{s.frame.Size() / item}
}
