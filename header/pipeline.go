package header

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/wire"
)

// These are offsets in the 16 bytes of the pipeline: six filters, the codec and its
// meta, the metas of the filters, more flags. Layouts before 2021-02 have eight
// bytes for filters and eight for metas instead.
const (
	pipeCodec     = 6
	pipeCodecMeta = 7
	pipeMetas     = 8
	pipeFlags     = 14
	flagDict      = 0x01

	// userCodec in the codec's four bits means that the number is in the pipeline.
	// Before 2021 it meant Lizard.
	userCodec = 6
)

// readPipeline reads the pipeline. It also determines which of the layouts of 2021 this
// is, because the pipeline repeats the codec.
func (h *Header) readPipeline(e wire.Ext16) error {
	if e.Type > filters.Slots {
		return corrupt(h.Generation.fixedLen()-len(e.Data)-1, "%d filters; must be at most %d", e.Type, filters.Slots)
	}
	for i := range e.Type {
		h.Filters.IDs[i] = blosc2.FilterID(e.Data[i])
		h.Filters.Metas[i] = e.Data[pipeMetas+i]
	}
	if !h.Generation.hasBlockSize() {
		return nil
	}
	h.Dict = e.Data[pipeFlags]&flagDict != 0
	number, late := e.Data[pipeCodec], e.Data[pipeCodecMeta]
	switch nibble := byte(h.Codec); {
	case number == 0 && late == 0 && nibble != 0:
		h.Generation = Layout2021
	case number == 0 && min(late, userCodec) == nibble && nibble != 0:
		h.Generation = LayoutRC
		h.Codec = blosc2.CodecID(late)
		h.CodecMeta, h.Filters.Metas[0] = e.Data[pipeMetas], 0
	default:
		if nibble >= userCodec {
			h.Codec = blosc2.CodecID(number)
		}
		h.CodecMeta = late
	}
	return nil
}

// pipeline returns the bytes of the pipeline. If the header was parsed, bits that have no
// field are those that were read.
func (h *Header) pipeline() wire.Ext16 {
	e := h.read.fixed.Pipeline
	if !h.read.ok && h.Generation.hasBlockSize() {
		e.Type = filters.Slots
	}
	for i, id := range h.Filters.IDs {
		if id != blosc2.FilterNone {
			e.Type = max(e.Type, byte(i+1))
		}
	}
	for i := range e.Type {
		e.Data[i] = byte(h.Filters.IDs[i])
		e.Data[pipeMetas+i] = h.Filters.Metas[i]
	}
	if !h.Generation.hasBlockSize() {
		return e
	}
	e.Data[pipeFlags] = setBits(e.Data[pipeFlags], flagDict, h.Dict)
	number, codecMeta := pipeCodec, pipeCodecMeta
	switch h.Generation {
	case Layout2021:
		return e
	case LayoutRC:
		number, codecMeta = pipeCodecMeta, pipeMetas
	}
	if !h.codecAsRead() {
		e.Data[number] = byte(h.Codec)
	}
	e.Data[codecMeta] = h.CodecMeta
	return e
}
