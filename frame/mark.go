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
	// ByIndex means that only the index holds the order of the chunks.
	ByIndex Order = iota
	// Sealed means that the frame is finished and its chunks are stored in order.
	Sealed
	// Unsealed means that the frame was written front to back and its header still holds
	// sizes of 0. It can only be read front to back.
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

// A marking holds what the metalayer b2stream says, as far as it can be trusted.
type marking struct {
	order  Order
	holds  bool // the mark is valid: its sizes are those of the header, so this library wrote the header
	checks bool // the mark is valid, and records follow the header and the chunks
	open   bool // the mark is valid, and a writer is active or has died: see log.go
	edited bool // the mark is invalid: a program that does not support it changed the frame
	opened bool // the mark says that a writer was active, whether its sizes are valid or not
}

// readMark evaluates the mark of h. It returns an error for an unsealed frame without a
// mark, or with sizes that are not all 0.
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
