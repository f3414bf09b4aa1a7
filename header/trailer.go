package header

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/wire"
	"github.com/seed03b80dae/blosc2/meta"
)

// A TrailerKind is a layout of the trailer.
type TrailerKind uint8

// These are the layouts of the trailer, the current one first.
const (
	TrailerCurrent  TrailerKind = iota // named vlmetalayers, since 2021-02-12
	TrailerUserMeta                    // one value without a name, between 2019-09-02 and 2021-02-12
	Trailer2019                        // the same with an invalid beginning, before that
)

// TrailerEnd is the number of bytes at a frame's end that hold the trailer's
// length and the fingerprint.
const TrailerEnd = 23

// minTrailer is the length of the shortest trailer of the older layouts.
const minTrailer = 30

const (
	leadTrailer     = 0x94
	leadTrailer2019 = 0x0d
	trailerVersion  = 1
	sectionAt       = 2 // offset of the vlmetalayers
	leadSection     = 0x93
	leadLen         = 0xce
)

// A Trailer is the trailer of a frame. The zero value is an empty one of the
// current layout.
type Trailer struct {
	Kind         TrailerKind
	LittleEndian bool // numbers are little-endian, like the header's

	// Layers are the vlmetalayers. Their values are chunks. The older layouts
	// have at most one, whose name is empty: the user metadata.
	Layers []meta.Layer

	FingerprintType uint8 // always 0 so far
	Fingerprint     [16]byte
}

// section is the section of the vlmetalayers.
func (t *Trailer) section() meta.Section {
	return meta.Section{Layers: t.Layers, Place: meta.InTrailer, At: sectionAt}
}

// Len returns the length in bytes of the trailer.
func (t *Trailer) Len() int {
	if t.Kind == TrailerCurrent {
		return sectionAt + t.section().Msgsize() + TrailerEnd
	}
	n := minTrailer
	for _, l := range t.Layers {
		n += len(l.Value)
	}
	return n
}

// version returns the number in the second byte.
func (t *Trailer) version() byte {
	if t.Kind == Trailer2019 {
		return 0
	}
	return trailerVersion
}

// TrailerLen reads the length of the frame's trailer from the last TrailerEnd bytes of
// the frame. It returns 0 for a frame without a trailer, and an error if the length
// exceeds the frame.
func (h *Header) TrailerLen(end []byte) (int, error) {
	if !h.Generation.HasTrailer() {
		return 0, nil
	}
	if len(end) != TrailerEnd || end[0] != leadLen {
		return 0, corruptTrailer(0, "not a trailer: ends with % x", end)
	}
	length := [5]byte(end)
	if h.LittleEndian {
		slices.Reverse(length[1:])
	}
	var n wire.Uint32
	if _, err := n.UnmarshalMsg(length[:]); err != nil {
		return 0, wire.Corrupt(blosc2.PartTrailer, 0, len(length), err)
	}
	if room := h.FrameLen - min(h.FrameLen, uint64(h.Len())); n < minTrailer || uint64(n) > room {
		return 0, corruptTrailer(0, "invalid trailer length %d in a frame of %d bytes", n, h.FrameLen)
	}
	return int(n), nil
}

// ParseTrailer reads the trailer b of the frame with header h. b must hold
// exactly the trailer. Offsets in errors count from its first byte.
func (h *Header) ParseTrailer(b []byte) (*Trailer, error) {
	t := &Trailer{LittleEndian: h.LittleEndian}
	if err := t.parse(slices.Clone(b)); err != nil {
		return nil, h.Generation.in(err)
	}
	return t, nil
}

// parse reads a trailer. It changes b.
func (t *Trailer) parse(b []byte) error {
	if len(b) < minTrailer {
		return corruptTrailer(0, "trailer has %d bytes; must have at least %d", len(b), minTrailer)
	}
	if t.LittleEndian {
		if err := wire.Flip(b, true); err != nil {
			return wire.Corrupt(blosc2.PartTrailer, 0, len(b), err)
		}
	}
	switch {
	case b[0] == leadTrailer2019:
		t.Kind, b[0] = Trailer2019, leadTrailer
	case b[2] == leadBin32:
		t.Kind = TrailerUserMeta
	}
	if b[0] != leadTrailer {
		return corruptTrailer(0, "byte %#02x does not begin a trailer", b[0])
	}
	var version wire.Uint8
	rest, err := version.UnmarshalMsg(b[1:])
	if err == nil && byte(version) != t.version() {
		return fault(blosc2.PartTrailer, blosc2.ErrUnsupported, 1, "version %d; must be %d", version, t.version())
	}
	if err == nil {
		rest, err = t.readLayers(rest)
	}
	var length wire.Uint32
	if err == nil {
		rest, err = length.UnmarshalMsg(rest)
	}
	var fingerprint wire.Ext16
	if err == nil {
		rest, err = fingerprint.UnmarshalMsg(rest)
	}
	if err != nil {
		return wire.Corrupt(blosc2.PartTrailer, 0, len(b), err)
	}
	if len(rest) > 0 || int64(length) != int64(len(b)) {
		return corruptTrailer(len(b)-len(rest), "trailer has %d bytes, but its length field says %d", len(b)-len(rest), length)
	}
	t.FingerprintType, t.Fingerprint = fingerprint.Type, fingerprint.Data
	return nil
}

// readLayers reads the layers, and returns the bytes after them.
func (t *Trailer) readLayers(b []byte) ([]byte, error) {
	if t.Kind == TrailerCurrent {
		s := t.section()
		rest, err := s.UnmarshalMsg(b)
		t.Layers = s.Layers
		return rest, err
	}
	var userMeta wire.Bin32
	rest, err := userMeta.UnmarshalMsg(b)
	if len(userMeta) > 0 {
		t.Layers = []meta.Layer{{Value: userMeta}}
	}
	return rest, err
}

// Append appends the trailer to dst. A value that does not fit the layout returns
// a [blosc2.OptionError].
func (t *Trailer) Append(dst []byte) ([]byte, error) {
	start := len(dst)
	out, err := append(dst, leadTrailer, t.version()), error(nil)
	switch {
	case t.Kind == TrailerCurrent:
		out, err = t.section().MarshalMsg(out)
	case len(t.Layers) > 1:
		err = &blosc2.OptionError{Option: "number of vlmetalayers", Value: len(t.Layers), Range: "0 or 1 in this layout"}
	case len(t.Layers) == 1:
		out, err = wire.Bin32(t.Layers[0].Value).MarshalMsg(out)
	default:
		out, err = wire.Bin32(nil).MarshalMsg(out)
	}
	if err != nil {
		return dst, err
	}
	out, _ = wire.Uint32(t.Len()).MarshalMsg(out) // leaves of fixed width are always written
	out, _ = wire.Ext16{Type: t.FingerprintType, Data: t.Fingerprint}.MarshalMsg(out)
	if t.Kind == Trailer2019 {
		out[start] = leadTrailer2019
	}
	if t.LittleEndian {
		if err := wire.Flip(out[start:], false); err != nil {
			return dst, err
		}
	}
	return out, nil
}

func corruptTrailer(offset int, format string, args ...any) error {
	return fault(blosc2.PartTrailer, blosc2.ErrCorrupt, offset, format, args...)
}
