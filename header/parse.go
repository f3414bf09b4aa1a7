package header

import (
	"encoding/binary"
	"io"
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/wire"
	"github.com/seed03b80dae/blosc2/meta"
)

// MinPrefix is the number of bytes that [Size] needs.
const MinPrefix = 24

// MinLen is the length in bytes of the shortest header, and so of the shortest
// frame.
const MinLen = 64

// Size returns the length of the header that begins with prefix. It reads the
// first MinPrefix bytes; fewer result in [io.ErrUnexpectedEOF]. Input that is not a
// frame results in [blosc2.ErrNotBlosc2].
func Size(prefix []byte) (int, error) {
	n, _, err := size(prefix)
	return n, err
}

// size returns the header's length and whether its numbers are little-endian.
func size(b []byte) (n int, le bool, err error) {
	if len(b) < MinPrefix {
		return 0, false, short(len(b), MinPrefix)
	}
	if b[0] < 0x9b || b[0] > 0x9e || string(b[1:10]) != "\xa8b2frame\x00" {
		return 0, false, Foreign(b)
	}
	if b[offHeaderLen] != 0xd2 || b[offFrameLen] != 0xcf {
		return 0, false, corrupt(0, "not a header: begins with % x", b[:MinPrefix])
	}
	n, whole, ok := lengths(b, binary.BigEndian)
	if b[0] == 0x9d {
		// Frames of early 2021 are little-endian, which only their implausible
		// lengths show.
		leN, leWhole, leOK := lengths(b, binary.LittleEndian)
		if leOK && (!ok || leWhole < whole) {
			return leN, true, nil
		}
	}
	if !ok {
		return 0, false, corrupt(offHeaderLen, "invalid header length %d in a frame of %d bytes", n, whole)
	}
	return n, false, nil
}

// lengths returns the lengths of header and frame, and reports whether they are
// plausible. A frame of length 0 is one that is still being written.
func lengths(b []byte, o binary.ByteOrder) (header int, frame uint64, ok bool) {
	n := int32(o.Uint32(b[offHeaderLen+1:]))
	frame = o.Uint64(b[offFrameLen+1:])
	unsealed := b[0] == 0x9e && frame == 0
	return int(n), frame, n >= MinLen && frame <= math.MaxInt64 && (unsealed || uint64(n) <= frame)
}

func short(have, want int) error {
	return fault(blosc2.PartHeader, io.ErrUnexpectedEOF, have, "truncated: has %d of %d bytes", have, want)
}

// parsed is a Header with room for the usual number of layers, so that Parse
// allocates once.
type parsed struct {
	Header
	raw    [MinLen + 128]byte
	layers [2]meta.Layer
}

// Parse reads the header at the start of b, which must hold all of it. Its errors
// are a [blosc2.FormatError] of [blosc2.ErrCorrupt], of [blosc2.ErrUnsupported] for
// versions and widths that are not defined, or of [io.ErrUnexpectedEOF] if b is too
// short.
func Parse(b []byte) (*Header, error) {
	n, le, err := size(b)
	if err != nil {
		return nil, err
	}
	if len(b) < n {
		return nil, short(len(b), n)
	}
	p := new(parsed)
	h := &p.Header
	b = append(p.raw[:0], b[:n]...)
	if le {
		if err := wire.Flip(b, true); err != nil {
			return nil, LayoutBeta.in(wire.Corrupt(blosc2.PartHeader, 0, n, err))
		}
	}
	h.Generation, h.LittleEndian, h.Layers = generationOf(b), le, p.layers[:0]
	if err := h.parse(b); err != nil {
		return nil, h.Generation.in(err)
	}
	h.read.ok, h.read.codec = true, h.Codec
	return h, nil
}

// parse reads a whole big-endian header.
func (h *Header) parse(b []byte) error {
	fixed := h.Generation.fixedLen()
	layers := b[0] != Layout2019.lead(false)
	if len(b) < fixed || !layers && len(b) > fixed {
		return corrupt(offHeaderLen, "header has %d bytes; must have %d", len(b), fixed)
	}
	if err := h.readFixed(b); err != nil {
		return err
	}
	if layers {
		if err := h.readLayers(b); err != nil {
			return err
		}
	} else {
		h.Layers = nil
	}
	if h.Generation == Layout2019 {
		// The flag means that there are metalayers, or, in files written a week later,
		// that there is user metadata.
		if layers != h.HasVLMeta {
			h.Generation = Layout2019Trailer
		} else {
			h.HasVLMeta = false
		}
	}
	return nil
}

// readFixed reads the fields up to the metalayers.
func (h *Header) readFixed(b []byte) error {
	f, err := unmarshalFixed(h.Generation, b)
	if err != nil {
		return err
	}
	h.read.fixed = f
	h.FrameLen = uint64(f.FrameLen)
	h.NBytes, h.CBytes = int64(f.NBytes), int64(f.CBytes)
	h.TypeSize, h.BlockSize, h.ChunkSize = int32(f.TypeSize), int32(f.BlockSize), int32(f.ChunkSize)
	h.TComp, h.TDecomp = int16(f.TComp), int16(f.TDecomp)
	h.HasVLMeta = f.Has
	if err := h.readFlags(f.Flags); err != nil {
		return err
	}
	if h.Generation.hasPipeline() {
		if err := h.readPipeline(f.Pipeline); err != nil {
			return err
		}
	}
	return h.check(len(b))
}

// check returns an error if the sizes are inconsistent. n is the header's length.
func (h *Header) check(n int) error {
	switch {
	case h.NBytes < 0:
		return corrupt(offNBytes, "size of the data %d must not be negative", h.NBytes)
	case h.CBytes < 0:
		return corrupt(offCBytes, "size of the chunks %d must not be negative", h.CBytes)
	case h.FrameLen == 0 && (h.NBytes != 0 || h.CBytes != 0):
		return corrupt(offFrameLen, "frame length 0, but %d bytes of data in %d bytes of chunks", h.NBytes, h.CBytes)
	case h.NBytes > 0 && h.Type == Contiguous && uint64(h.CBytes) > h.FrameLen-uint64(n):
		return corrupt(offCBytes, "%d bytes of chunks do not fit into a frame of %d", h.CBytes, h.FrameLen)
	case h.TypeSize <= 0:
		return corrupt(offTypeSize, "typesize %d must be positive", h.TypeSize)
	case h.BlockSize < 0:
		return corrupt(offSizes, "block size %d must not be negative", h.BlockSize)
	case h.ChunkSize < -1, h.ChunkSize < 0 && h.NBytes > 0:
		return corrupt(offSizes, "invalid chunk size %d", h.ChunkSize)
	}
	return nil
}

// readLayers reads the metalayers.
func (h *Header) readLayers(b []byte) error {
	s := h.section()
	if _, err := s.UnmarshalMsg(b[s.At:]); err != nil {
		return err
	}
	h.Layers = s.Layers
	var buf [256]byte
	if ours, err := s.MarshalMsg(buf[:0]); err != nil || string(ours) != string(b[s.At:]) {
		h.read.section, h.read.layers = b[s.At:], slices.Clone(h.Layers)
	}
	return nil
}
