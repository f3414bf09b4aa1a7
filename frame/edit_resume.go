package frame

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// resume returns a Builder that continues a frame at its end: its Pos is f.FrameLen. The
// frame is unchanged until the result of AppendSealed is written over the header. f may
// be unsealed, but not torn.
//
// If the frame could be read front to back and had data, it still can be afterwards. New
// chunks get records if every chunk has one. The header gets one if it had one.
func resume(f *Reader) (*Builder, error) {
	if err := f.writable(); err != nil {
		return nil, err
	}
	if f.torn() {
		return nil, f.end
	}
	return f.resume()
}

// resume does what the function resume does, but f may be torn.
func (f *Reader) resume() (*Builder, error) {
	b := &Builder{
		h:         *f.h,
		headerLen: int64(len(f.raw)),
		rec1:      f.rec1,
		offsets:   slices.Clone(f.index),
		pos:       f.frameLen,
		nbytes:    f.nbytes,
		vlmeta:    slices.Clone(f.vlmeta),
	}
	b.h.Layers, b.h.HasVLMeta = slices.Clone(f.h.Layers), len(f.vlmeta) > 0
	b.mark = slices.IndexFunc(b.h.Layers, func(l meta.Layer) bool {
		_, err := meta.ParseStream(l.Value)
		return l.Name == meta.StreamName && err == nil
	})
	// A reader that reads front to back stops at the trailer of an empty frame.
	live := f.nbytes > 0 || f.mark.order == Unsealed
	b.checks = f.mark.checks && live
	b.stream = *meta.NewStream(f.mark.order != ByIndex && live, b.checks)
	if n := int64(len(f.index)); n > 0 {
		start, end, err := f.extent(n - 1)
		if err != nil {
			return nil, err
		}
		b.last = end - start
		if f.irregular || f.mark.order == Unsealed && !f.mark.open && !f.uniform() {
			b.setVariable()
		}
	}
	b.sealedAt = sizes{f.frameLen, f.nbytes, f.cbytes}
	if f.mark.open {
		b.sealedAt = sizes{int64(f.h.FrameLen), f.h.NBytes, f.h.CBytes}
	}
	return b, nil
}

// writable returns an error if a frame cannot be continued.
func (f *Reader) writable() error {
	refuse := func(format string, args ...any) error {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, format, args...)
	}
	switch {
	case f.h.Generation != header.Current:
		return refuse("writing to a frame of the %s layout", f.h.Generation)
	case f.h.Type != header.Contiguous:
		return refuse("appending to a sparse frame")
	case f.h.OffsetWidth != 8:
		return refuse("writing to a frame with offsets of %d bytes", f.h.OffsetWidth)
	}
	return nil
}

// uniform reports whether all chunks of an unsealed frame have the header's
// chunk size, except the last, which may be shorter.
func (f *Reader) uniform() bool {
	if f.fixed() {
		return true
	}
	size := int64(f.h.ChunkSize)
	for n := range f.index {
		have := f.starts[n+1] - f.starts[n]
		if have > size || have < size && n < len(f.index)-1 {
			return false
		}
	}
	return true
}

// lossless reports whether data are unchanged after they are encoded and decoded, so that
// a chunk can be filled up.
func (b *Builder) lossless() bool { return !b.h.Filters.Lossy() && !framing.LossyCodec(b.h.Codec) }
