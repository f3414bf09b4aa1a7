package header

import (
	"bytes"
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/wire"
	"github.com/seed03b80dae/blosc2/meta"
)

// Len returns the length in bytes of the header as Append writes it.
func (h *Header) Len() int {
	n := h.Generation.fixedLen()
	switch {
	case h.layersAsRead():
		n += len(h.read.section)
	case h.hasSection():
		n += h.section().Msgsize()
	}
	return n
}

// section returns the section of the metalayers.
func (h *Header) section() meta.Section {
	return meta.Section{Layers: h.Layers, Place: meta.InHeader, At: h.Generation.fixedLen()}
}

// hasSection reports whether the header has a section of metalayers.
func (h *Header) hasSection() bool {
	return len(h.Layers) > 0 || h.Generation.alwaysLayers() || h.layersAsRead()
}

// layersAsRead reports whether to write the metalayers as the bytes from which they
// were read: this package would encode them differently, and the caller has not
// changed them.
func (h *Header) layersAsRead() bool {
	return h.read.section != nil && slices.EqualFunc(h.Layers, h.read.layers, func(a, b meta.Layer) bool {
		return a.Name == b.Name && bytes.Equal(a.Value, b.Value)
	})
}

// Append appends the header to dst. A value that does not fit the layout, or a
// typesize of 0, returns a [blosc2.OptionError].
func (h *Header) Append(dst []byte) ([]byte, error) {
	if err := h.writable(); err != nil {
		return dst, err
	}
	f := h.read.fixed
	f.HeaderLen = wire.Int32(h.Len())
	f.FrameLen = wire.Uint64(h.FrameLen)
	f.Flags = h.flags()
	f.NBytes, f.CBytes = wire.Int64(h.NBytes), wire.Int64(h.CBytes)
	f.TypeSize, f.BlockSize, f.ChunkSize = wire.Int32(h.TypeSize), wire.Int32(h.BlockSize), wire.Int32(h.ChunkSize)
	f.TComp, f.TDecomp = wire.Int16(h.TComp), wire.Int16(h.TDecomp)
	f.Has = h.HasVLMeta
	if h.Generation == Layout2019 {
		f.Has = h.hasSection()
	}
	f.Pipeline = h.pipeline()
	start := len(dst)
	out, err := marshalFixed(h.Generation, dst, f)
	if err != nil {
		return dst, err
	}
	out[start] = h.Generation.lead(h.hasSection())
	if out, err = h.appendLayers(out); err != nil {
		return dst, err
	}
	if h.LittleEndian {
		if err := wire.Flip(out[start:], false); err != nil {
			return dst, err
		}
	}
	return out, nil
}

// appendLayers appends the section of metalayers.
func (h *Header) appendLayers(dst []byte) ([]byte, error) {
	switch {
	case h.layersAsRead():
		return append(dst, h.read.section...), nil
	case h.hasSection():
		return h.section().MarshalMsg(dst)
	}
	return dst, nil
}

// writable returns an error if the header cannot be written.
func (h *Header) writable() error {
	refuse := func(option string, value any, possible string) error {
		return &blosc2.OptionError{Option: option, Value: value, Range: possible}
	}
	switch {
	case h.TypeSize <= 0:
		return refuse("typesize", h.TypeSize, "1 to 2147483647")
	case h.Level > math.MaxUint8>>levelShift:
		return refuse("level", h.Level, "0 to 15")
	case h.Generation != Current && h.Generation != LayoutRC && h.Codec > codecMask:
		return refuse("codec", h.Codec, "0 to 15 in this layout")
	case h.Split > blosc2.SplitForward:
		return refuse("split mode", uint8(h.Split), "0 to 4")
	case !h.Generation.hasPipeline() && !h.Filters.Empty():
		return refuse("filters", h.Filters, "none: this layout has no room for them")
	case h.Generation.offsetWidth(h.Generation.widthCode(h.width())) != h.width():
		return refuse("offset width", h.OffsetWidth, "2, 4 or 8 in the layout of 2019, 4 or 8 in others")
	case h.Version > maxVersion:
		return refuse("frame version", h.Version, "0 to 3")
	case h.LittleEndian && h.Generation != LayoutBeta:
		return refuse("little-endian", true, "false in this layout")
	}
	return nil
}
