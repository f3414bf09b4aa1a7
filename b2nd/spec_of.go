package b2nd

import (
	"slices"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// Spec returns the Spec of an array like this one: of the same shape, partition
// and dtype, compressed in the same way. Its fields may be changed, as in
//
//	spec := a.Spec()
//	spec.Shape[0] = b2nd.Unknown
//	w, err := b2nd.NewWriter(file, spec)
//
// Metalayers are not part of it.
func (a *Array) Spec() Spec { return specOf(a.grid, a.desc, a.dtype, a.f.Header()) }

func specOf(g *grid, desc *meta.B2ND, dtype meta.DType, h *header.Header) Spec {
	s := Spec{Shape: slices.Clone(g.shape), ItemSize: int(g.item), ChunkShape: atLeastOne(g.chunk), BlockShape: atLeastOne(g.block)}
	switch {
	case dtype.Kind != meta.Opaque && desc.DType != "":
		s.DType = dtype.String()
	case dtype.Kind == meta.Opaque && desc.DTypeFormat == 0:
		if _, err := meta.ParseDType(desc.DType); err != nil {
			s.DType = desc.DType
		}
	}
	s.Params = &chunk.Params{Codec: h.Codec, CodecMeta: h.CodecMeta, Level: min(int(h.Level), 9), Split: h.Split, Filters: h.Filters, Dict: h.Dict}
	return s
}

// atLeastOne copies a chunkshape or blockshape, with 1 for 0, which an empty
// array may have.
func atLeastOne(s []int64) []int64 {
	s = slices.Clone(s)
	for d := range s {
		s[d] = max(s[d], 1)
	}
	return s
}

// options returns the compression options of the Spec.
func (s *Spec) options() []stream.WriterOption {
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

// withSizes returns the options of s, then opts, then those for the sizes of the
// array.
func (s *Spec) withSizes(opts []stream.WriterOption, g *grid, desc *meta.B2ND) []stream.WriterOption {
	return append(append(s.options(), opts...),
		stream.TypeSize(int(g.item)), stream.ChunkSize(int(g.chunkBytes)), stream.BlockSize(int(g.blockBytes)),
		blockShape(desc.BlockShape))
}
