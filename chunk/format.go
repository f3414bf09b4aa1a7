package chunk

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
)

// These are the formats of streams, in bits 5–7 of byte 2. Codecs with the same format of
// streams share a number (docs/format/chunk.md §1.1).
const (
	formatBloscLZ = iota
	formatLZ4
	formatSnappy
	formatZlib
	formatZstd
	formatLizard
	formatUser // byte 22 is the codec's id
)

// formats maps the number of a format to its codec.
var formats = [formatUser]blosc2.CodecID{
	formatBloscLZ: blosc2.CodecBloscLZ,
	formatLZ4:     blosc2.CodecLZ4, // also the format of lz4hc
	formatSnappy:  blosc2.CodecSnappy,
	formatZlib:    blosc2.CodecZlib,
	formatZstd:    blosc2.CodecZstd,
	formatLizard:  blosc2.CodecLizard,
}

// codecFormat returns the format number of a codec's streams.
func codecFormat(id blosc2.CodecID) uint8 {
	if id == blosc2.CodecLZ4HC {
		return formatLZ4
	}
	if i := slices.Index(formats[:], id); i >= 0 {
		return uint8(i)
	}
	return formatUser
}

// findCodec sets h.Codec from the format bits. Byte 22 holds the id of built-in
// codecs too, but chooses the codec for format 6 only (docs/format/chunk.md
// T4); it distinguishes lz4 and lz4hc. In special and memcpyed chunks, whose
// format bits are undefined, it is the only information.
func (h *Header) findCodec(b []byte) error {
	if h.Extended() {
		h.stored = blosc2.CodecID(b[22])
	}
	if !h.regular() {
		h.Codec = h.stored
		return nil
	}
	switch format := h.Flags >> formatShift; {
	case format < formatUser:
		h.Codec = formats[format]
		if format == formatLZ4 && h.stored == blosc2.CodecLZ4HC {
			h.Codec = h.stored
		}
	case format > formatUser:
		return fault(2, blosc2.ErrUnsupported, "unknown codec format %d", format)
	case h.stored < firstUserCodec:
		return fault(22, blosc2.ErrUnsupported, "unknown user codec %d", h.stored)
	default:
		h.Codec = h.stored
	}
	return nil
}

// firstUserCodec is the lowest id of a codec with format 6.
const firstUserCodec = 32
