package shard

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// A Plan describes how a frame is made in shards. It is immutable and may be used by
// several goroutines; the Fill of FromReaderAt may not. Its JSON form is all
// that another machine needs.
type Plan struct {
	shards int
	size   int64            // decoded bytes of the frame, including padding of an array's chunks
	source string           // see WithSource
	split  blosc2.SplitMode // stored here because the header does not distinguish SplitDefault from SplitForward
	raw    []byte           // the header of the frame, with sizes of 0
	h      *header.Header
	checks bool
	desc   *meta.B2ND // descriptor of an array; nil for other frames
}

// NewPlan plans a frame of size bytes of data in a number of shards. The options are
// those of stream.NewWriter, except Auto, VariableChunks and Layout2019, for which it
// returns an error. For more shards than chunks it returns a *blosc2.OptionError; a
// frame without data has one shard.
func NewPlan(size int64, shards int, opts ...stream.WriterOption) (*Plan, error) {
	return newPlan(size, shards, opts)
}

// NewArrayPlan plans the array that spec describes, with a known shape, as
// b2nd.NewWriter makes it with the same options.
func NewArrayPlan(spec b2nd.Spec, shards int, opts ...stream.WriterOption) (*Plan, error) {
	cut, err := spec.Cut()
	if err != nil {
		return nil, err
	}
	value, err := cut.Descriptor().Append(nil)
	if err != nil {
		return nil, err
	}
	all := specOptions(&spec)
	all = append(all, opts...)
	all = append(all, stream.TypeSize(cut.ItemSize()), stream.ChunkSize(int(cut.ChunkBytes())), stream.BlockSize(int(cut.BlockBytes())),
		blockShape(cut.Descriptor().BlockShape), stream.Metalayer(meta.B2NDName, value))
	return newPlan(cut.NumChunks()*cut.ChunkBytes(), shards, all)
}

// These functions of package stream are only for packages that write arrays.
var (
	paramsOf   = framing.ParamsOf.(func(...stream.WriterOption) (chunk.Params, error))
	blockShape = framing.BlockShapeOption.(func([]int32) stream.WriterOption)
)

// specOptions returns the compression options in a Spec.
func specOptions(s *b2nd.Spec) []stream.WriterOption {
	p := s.Params
	if p == nil {
		return nil
	}
	opts := []stream.WriterOption{stream.Codec(p.Codec, p.CodecMeta), stream.Level(p.Level),
		stream.Split(p.Split), stream.Filters(p.Filters)}
	if p.Dict {
		opts = append(opts, stream.Dict())
	}
	return opts
}

// A plainWriter hides all methods except Write, so that the frame is the same for
// any sink.
type plainWriter struct{ b bytes.Buffer }

func (w *plainWriter) Write(p []byte) (int, error) { return w.b.Write(p) }

func newPlan(size int64, shards int, opts []stream.WriterOption) (*Plan, error) {
	params, err := paramsOf(opts...)
	if err != nil {
		return nil, err
	}
	// The header of an empty frame holds nearly all options.
	var empty plainWriter
	w, err := stream.NewWriter(&empty, opts...)
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	f, err := frame.Open(bytes.NewReader(empty.b.Bytes()), int64(empty.b.Len()))
	if err != nil {
		return nil, err
	}
	p := &Plan{shards: shards, size: size, split: params.Split}
	if err := p.setHeader(f.Header()); err != nil {
		return nil, err
	}
	if p.desc == nil && params.BlockShape != nil {
		return nil, &blosc2.OptionError{Option: "block shape", Value: params.BlockShape, Range: "nil, as the data are not an array"}
	}
	return p, nil
}

// setHeader sets the header, and checks the plan.
func (p *Plan) setHeader(h *header.Header) error {
	switch {
	case h.Generation != header.Current || h.Type != header.Contiguous:
		return &blosc2.OptionError{Option: "layout", Value: h.Generation, Range: "the current layout, in a file"}
	case h.VariableChunks || h.ChunkSize < 1 || h.ChunkSize > chunk.MaxBytes:
		return &blosc2.OptionError{Option: "chunk size", Value: h.ChunkSize, Range: fmt.Sprintf("1 to %d, the same for all chunks", chunk.MaxBytes)}
	case h.TypeSize < 1:
		return &blosc2.OptionError{Option: "typesize", Value: h.TypeSize, Range: "1 or more"}
	case p.size < 0:
		return &blosc2.OptionError{Option: "size", Value: p.size, Range: "0 or more"}
	}
	mark, ok := h.Layer(meta.StreamName)
	s, err := meta.ParseStream(mark)
	if !ok || err != nil {
		return &blosc2.OptionError{Option: "metalayers", Value: len(h.Layers), Range: "at most 15"}
	}
	p.checks = s.Checks
	b, err := frame.NewBuilder(h, frame.Checks(p.checks))
	if err != nil {
		return err
	}
	if p.raw, err = b.Header().Append(nil); err != nil {
		return err
	}
	p.h = b.Header()
	if value, ok := h.Layer(meta.B2NDName); ok {
		if p.desc, err = meta.ParseB2ND(value); err != nil {
			return err
		}
		cut, err := b2nd.NewCut(p.desc, int(h.TypeSize))
		if err != nil {
			return err
		}
		if cut.ChunkBytes() != int64(h.ChunkSize) && cut.NumChunks() > 0 || cut.NumChunks()*cut.ChunkBytes() != p.size {
			return &blosc2.OptionError{Option: "size", Value: p.size, Range: "the size of the array's chunks"}
		}
	}
	n := p.NumChunks()
	if n > frame.MaxChunks {
		return &blosc2.OptionError{Option: "chunks", Value: n, Range: fmt.Sprintf("at most %d; use larger chunks", frame.MaxChunks)}
	}
	if p.shards < 1 || int64(p.shards) > max(n, 1) {
		return &blosc2.OptionError{Option: "shards", Value: p.shards, Range: fmt.Sprintf("1 to %d, the number of chunks of the result", max(n, 1))}
	}
	return nil
}

// WithSource returns the plan for an input that s identifies: a version or an
// ETag, or a size and a time. Shards of another input then result in
// ErrForeign.
func (p *Plan) WithSource(s string) *Plan {
	q := *p
	q.source = s
	return &q
}

// Source returns the argument of WithSource.
func (p *Plan) Source() string { return p.source }

// Shards returns the number of shards.
func (p *Plan) Shards() int { return p.shards }

// Size returns the size of the decoded data in bytes, including an array's
// padding.
func (p *Plan) Size() int64 { return p.size }

// NumChunks returns the number of chunks of the frame.
func (p *Plan) NumChunks() int64 {
	size := int64(p.h.ChunkSize)
	return p.size/size + min(p.size%size, 1)
}

// Header returns the header of the frame, with sizes of 0. It must not be changed.
func (p *Plan) Header() *header.Header { return p.h }

// Descriptor returns the descriptor of the plan's array, or nil if the frame is
// not an array. It must not be changed.
func (p *Plan) Descriptor() *meta.B2ND { return p.desc }

// Chunks returns the range of chunks in shard k: [first, end). Shards of an
// array have whole rows of chunks if there are enough rows.
func (p *Plan) Chunks(k int) (first, end int64) {
	n, unit := p.NumChunks(), int64(1)
	if p.desc != nil && len(p.desc.Shape) > 0 && n > 0 {
		cut, err := b2nd.NewCut(p.desc, int(p.h.TypeSize)) // the plan has been checked with this descriptor
		if rows := int64(0); err == nil {
			if rows = cut.ChunkCounts()[0]; rows >= int64(p.shards) {
				unit = n / rows
			}
		}
	}
	at := func(k int) int64 { return share(n/unit, k, p.shards) * unit }
	return at(k), at(k + 1)
}

// share returns n*k/of. The product may exceed 64 bits.
func share(n int64, k, of int) int64 {
	q, r := n/int64(of), n%int64(of)
	return q*int64(k) + r*int64(k)/int64(of)
}

// chunkLen returns the decoded bytes of chunk n.
func (p *Plan) chunkLen(n int64) int {
	size := int64(p.h.ChunkSize)
	return int(min(size, p.size-n*size))
}

// checkShard returns an error if k is not the number of a shard.
func (p *Plan) checkShard(k int) error {
	if k < 0 || k >= p.shards {
		return &blosc2.OptionError{Option: "shard", Value: k, Range: fmt.Sprintf("0 to %d", p.shards-1)}
	}
	return nil
}

// A planJSON is the JSON form of a Plan.
type planJSON struct {
	Header []byte           `json:"header"`
	Size   int64            `json:"size"`
	Shards int              `json:"shards"`
	Split  blosc2.SplitMode `json:"split"`
	Source string           `json:"source,omitempty"`
}

// MarshalJSON returns the plan as JSON.
func (p *Plan) MarshalJSON() ([]byte, error) {
	return json.Marshal(planJSON{p.raw, p.size, p.shards, p.split, p.source})
}

// UnmarshalJSON parses the result of MarshalJSON. An invalid plan returns
// blosc2.ErrCorrupt or a *blosc2.OptionError.
func (p *Plan) UnmarshalJSON(text []byte) error {
	var j planJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	h, err := header.Parse(j.Header)
	if err != nil {
		return err
	}
	q := Plan{shards: j.Shards, size: j.Size, split: j.Split, source: j.Source}
	if err := q.setHeader(h); err != nil {
		return err
	}
	if !bytes.Equal(q.raw, j.Header) {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "the plan's header was not written by this package")
	}
	*p = q
	return nil
}

// differs describes how q differs from p; it returns "" if it does not.
func (p *Plan) differs(q *Plan) string {
	a, b := p.h, q.h
	for _, d := range []struct {
		what string
		a, b any
	}{
		{"shards", p.shards, q.shards}, {"input", p.source, q.source}, {"size", p.size, q.size}, {"typesize", a.TypeSize, b.TypeSize},
		{"chunk size", a.ChunkSize, b.ChunkSize}, {"block size", a.BlockSize, b.BlockSize}, {"codec", a.Codec, b.Codec}, {"level", a.Level, b.Level},
		{"filters", a.Filters, b.Filters}, {"split mode", p.split, q.split}, {"checks", p.checks, q.checks},
	} {
		if d.a != d.b {
			return fmt.Sprintf("%s %v, not %v", d.what, d.b, d.a)
		}
	}
	if !bytes.Equal(p.raw, q.raw) {
		return "another header"
	}
	return ""
}
