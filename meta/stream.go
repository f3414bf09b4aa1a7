package meta

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/wire"
)

// StreamName is the name of the metalayer that holds a [Stream].
const StreamName = "b2stream"

// DTypeName is the name of the metalayer that holds the type of a frame's items
// if it is not an array: as NumPy writes it, in a msgpack string, such as
// "<f8".
const DTypeName = "dtype"

// StreamLen is the length in bytes of a stored [Stream]. It never changes, so that
// the mark can be rewritten in place.
const StreamLen = 30

const (
	streamVersion = 1
	flagOrdered   = 1
	flagChecks    = 2
	flagOpen      = 4
)

// A Stream is this library's mark in a frame: how the frame was written, and the
// three sizes in its header at that time. A program that changes the frame and does
// not support the mark changes one of these sizes, which invalidates the mark.
type Stream struct {
	Version  uint8  // always 1; this package does not know later versions
	Ordered  bool   // the chunks are in order, so the frame can be read front to back
	Checks   bool   // records with digests follow the header and each chunk
	Open     bool   // a writer is active or has died: data that the sizes do not include may follow
	Reserved uint8  // the other bits of the flags, 0 to 15
	FrameLen uint64 // the sizes of the header; all 0 while the frame is unsealed
	NBytes   int64
	CBytes   int64
}

// NewStream returns the mark of an unsealed frame.
func NewStream(ordered, checks bool) *Stream {
	return &Stream{Version: streamVersion, Ordered: ordered, Checks: checks}
}

// Holds reports whether the mark's version is known and its sizes equal those of the
// header.
func (s *Stream) Holds(frameLen uint64, nbytes, cbytes int64) bool {
	return s.Version == streamVersion && s.FrameLen == frameLen && s.NBytes == nbytes && s.CBytes == cbytes
}

// Append appends the mark's 30 bytes.
func (s *Stream) Append(dst []byte) ([]byte, error) {
	flags := s.Reserved << 3
	if s.Ordered {
		flags |= flagOrdered
	}
	if s.Checks {
		flags |= flagChecks
	}
	if s.Open {
		flags |= flagOpen
	}
	w := streamWire{
		Version:  wire.Uint8(s.Version),
		Flags:    wire.Uint8(flags),
		FrameLen: wire.Uint64(s.FrameLen),
		NBytes:   wire.Int64(s.NBytes),
		CBytes:   wire.Int64(s.CBytes),
	}
	return w.MarshalMsg(dst)
}

// ParseStream reads a mark.
func ParseStream(b []byte) (*Stream, error) {
	s := new(Stream) // inlined, so s is on the caller's stack
	if err := s.parse(b); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Stream) parse(b []byte) error {
	var w streamWire
	rest, err := w.UnmarshalMsg(b)
	if err != nil {
		return wire.Corrupt(blosc2.PartMeta, 0, len(b), err)
	}
	if len(rest) > 0 {
		return corrupt(blosc2.PartMeta, StreamLen, "b2stream has %d bytes; must have %d", len(b), StreamLen)
	}
	*s = Stream{
		Version:  uint8(w.Version),
		Ordered:  w.Flags&flagOrdered != 0,
		Checks:   w.Flags&flagChecks != 0,
		Open:     w.Flags&flagOpen != 0,
		Reserved: uint8(w.Flags) >> 3,
		FrameLen: uint64(w.FrameLen),
		NBytes:   int64(w.NBytes),
		CBytes:   int64(w.CBytes),
	}
	return nil
}
