package header

import (
	"encoding/binary"
	"math"
)

// TrailerExtent reads the length of a trailer from its first bytes, b. h is the
// header of the same frame. If whole is true, n is the length of the trailer;
// otherwise it is the number of bytes that the next call needs. So a trailer
// can be read from a source that cannot seek, without reading past it: read
// until b has n bytes, and call again.
//
// A frame of Layout2019Trailer with user metadata can only be read in this way: its
// library did not count these in FrameLen, so [Header.TrailerLen] fails. Its
// trailer begins at the end of the index. In other frames there may be unused bytes
// between the two.
//
// Bytes that do not begin a trailer result in [blosc2.ErrCorrupt].
func (h *Header) TrailerExtent(b []byte) (n int, whole bool, err error) {
	const prefix = 9 // length up to and including the number of vlmetalayers
	if len(b) < prefix {
		return prefix, false, nil
	}
	order := binary.ByteOrder(binary.BigEndian)
	if h.LittleEndian {
		order = binary.LittleEndian
	}
	switch {
	case b[2] == leadBin32 && (b[0] == leadTrailer2019 && b[1] == 0 || b[0] == leadTrailer && b[1] == trailerVersion):
		n, err = valueEnd(b, sectionAt, order)
		n += TrailerEnd
	case b[0] == leadTrailer && b[1] == trailerVersion && b[2] == leadSection && b[3] == leadUint16 && b[6] == leadMap16:
		n, err = layersEnd(b, order)
	default:
		return 0, false, corruptTrailer(0, "not a trailer: begins with % x", b[:prefix])
	}
	return n, len(b) >= n, err
}

const (
	leadUint16  = 0xcd
	leadMap16   = 0xde
	leadArray16 = 0xdc
	leadBin32   = 0xc6
)

// layersEnd is like TrailerExtent, for trailers with vlmetalayers; b has at least
// nine bytes.
func layersEnd(b []byte, order binary.ByteOrder) (n int, err error) {
	const indexStart = 3 // the size of the index counts from this offset
	n = indexStart + int(order.Uint16(b[4:]))
	if len(b) < n+3 {
		return n + 3, nil
	}
	if b[n] != leadArray16 {
		return 0, corruptTrailer(n, "byte %#02x does not begin the values", b[n])
	}
	left := order.Uint16(b[n+1:])
	for n += 3; left > 0 && n < len(b); left-- {
		if n, err = valueEnd(b, n, order); err != nil {
			return 0, err
		}
	}
	if left > 0 {
		return n + 1, nil
	}
	return n + TrailerEnd, nil
}

// valueEnd returns the end of the value that begins at byte at. If b does not hold the
// head of the value, it returns the end of that head instead.
func valueEnd(b []byte, at int, order binary.ByteOrder) (int, error) {
	const head = 5
	if len(b) < at+head {
		return at + head, nil
	}
	if b[at] != leadBin32 {
		return 0, corruptTrailer(at, "byte %#02x does not begin a value", b[at])
	}
	end := int64(at) + head + int64(order.Uint32(b[at+1:]))
	if end > math.MaxInt32-TrailerEnd {
		return 0, corruptTrailer(at, "value ends at %d; a trailer must be less than 2 GiB", end)
	}
	return int(end), nil
}
