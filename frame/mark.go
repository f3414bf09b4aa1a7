package frame

import (
	"strconv"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// An Order says how the chunks of a frame can be found.
type Order uint8

const (
	// ByIndex: only the index holds the order of the chunks.
	ByIndex Order = iota
	// Sealed: the frame is finished, and its chunks are also stored in order.
	Sealed
	// Unsealed: the frame was written front to back and its header still holds
	// sizes of 0. It can only be walked.
	Unsealed
)

var orderNames = [...]string{"by index", "sealed", "unsealed"}

// String returns "by index", "sealed" or "unsealed".
func (o Order) String() string {
	if int(o) < len(orderNames) {
		return orderNames[o]
	}
	return "order " + strconv.Itoa(int(o))
}

// A marking holds the parts of the metalayer b2stream that can be trusted.
type marking struct {
	order  Order
	holds  bool // valid: its sizes are those of the header, so this library wrote the header
	checks bool // valid, and there are records after header and chunks
	open   bool // valid, and a writer is active or has died: see log.go
	edited bool // its sizes differ: the frame was changed by a program that does not support the mark
	opened bool // a writer was active, regardless of the sizes
}

// readMark evaluates the mark of h. An unsealed frame whose sizes are not all
// 0, or which has no mark, is an error.
func readMark(h *header.Header) (marking, error) {
	var m marking
	s, found := new(meta.Stream), false
	if value, ok := meta.Find(h.Layers, meta.StreamName); ok {
		parsed, err := meta.ParseStream(value)
		if found = err == nil; found {
			s = parsed
		}
	}
	m.holds = s.Holds(h.FrameLen, h.NBytes, h.CBytes)
	m.edited = found && (s.FrameLen != h.FrameLen || s.NBytes != h.NBytes || s.CBytes != h.CBytes)
	m.checks = m.holds && s.Checks
	m.opened = s.Open
	m.open = m.holds && s.Open
	if m.holds && s.Ordered {
		m.order = Sealed
	}
	if h.FrameLen != 0 {
		return m, nil
	}
	switch {
	case h.NBytes != 0 || h.CBytes != 0:
		return m, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "frame length 0, but %d bytes of data in %d bytes of chunks", h.NBytes, h.CBytes)
	case found && !m.holds && !m.edited:
		return m, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "unsealed frame with b2stream version %d", s.Version)
	case !m.holds:
		return m, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "frame length 0, but the frame is not marked as unsealed")
	}
	m.order = Unsealed
	return m, nil
}
