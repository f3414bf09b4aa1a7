package chunk

import "github.com/seed03b80dae/blosc2"

// These are the codec formats, bits 5–7 of byte 2. Codecs that share a stream
// format share the number (docs/format/chunk.md §1.1).
const (
	formatBloscLZ = iota
	formatLZ4
	formatSnappy
	formatZlib
	formatZstd
	formatLizard
	formatUser // byte 22 names the codec
)

// codecFormat returns the format number of a codec's streams.
func codecFormat(id blosc2.CodecID) uint8 {
	switch id {
	case blosc2.CodecBloscLZ:
		return formatBloscLZ
	case blosc2.CodecLZ4, blosc2.CodecLZ4HC:
		return formatLZ4
	case blosc2.CodecSnappy:
		return formatSnappy
	case blosc2.CodecZlib:
		return formatZlib
	case blosc2.CodecZstd:
		return formatZstd
	case blosc2.CodecLizard:
		return formatLizard
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
	switch format := h.Flags >> formatShift; format {
	case formatBloscLZ:
		h.Codec = blosc2.CodecBloscLZ
	case formatLZ4:
		h.Codec = blosc2.CodecLZ4
		if h.stored == blosc2.CodecLZ4HC {
			h.Codec = h.stored
		}
	case formatSnappy:
		h.Codec = blosc2.CodecSnappy
	case formatZlib:
		h.Codec = blosc2.CodecZlib
	case formatZstd:
		h.Codec = blosc2.CodecZstd
	case formatLizard:
		h.Codec = blosc2.CodecLizard
	case formatUser:
		if h.stored < firstUserCodec {
			return fault(22, blosc2.ErrUnsupported, "user codec %d", h.stored)
		}
		h.Codec = h.stored
	default:
		return fault(2, blosc2.ErrUnsupported, "codec format %d", format)
	}
	return nil
}

// firstUserCodec is the first id that codec format 6 can mean.
const firstUserCodec = 32
