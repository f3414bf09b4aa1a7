package stream

import (
	"bytes"
	"io"
	"strings"

	"github.com/seed03b80dae/blosc2/internal/room"
)

// heldMax is how much output is held back for a sink that cannot be patched,
// in the hope that the frame ends before, and can be sealed.
const heldMax = 4 << 20

// heldPart is the size of the memory that small parts of a frame are held in.
const heldPart = 64 << 10

// A heldSink cannot be patched, save for the beginning that it still holds. It
// holds chunks in the memory that they were made in, unless they fill less than
// half of it. Its memory serves the next stream after a Reset.
type heldSink struct {
	w        io.Writer
	parts    [][]byte
	size     int      // of all parts
	open     bool     // the last part is of heldPart bytes and can be appended to
	small    [][]byte // memory of heldPart bytes, not in use
	large    [][]byte // that of chunks, not in use
	released bool
}

// reuse makes s a sink for w that holds nothing.
func (s *heldSink) reuse(w io.Writer) {
	s.drop()
	s.w, s.released = w, false
}

func (s *heldSink) Write(p []byte) (int, error) {
	if ok, err := s.hold(len(p)); !ok {
		if err != nil {
			return 0, err
		}
		return writeFull(s.w, p)
	}
	for rest := p; len(rest) > 0; {
		if !s.open || len(s.last()) == heldPart {
			s.add(take(&s.small, heldPart), true)
		}
		last := s.last()
		k := min(len(rest), heldPart-len(last))
		s.parts[len(s.parts)-1] = append(last, rest[:k]...)
		rest = rest[k:]
	}
	return len(p), nil
}

func (s *heldSink) WriteChunk(p []byte) (n int, spare []byte, err error) {
	if s.released || len(p) < cap(p)/2 || len(p) < heldPart || s.size+len(p) > heldMax {
		return writeChunk(s, p)
	}
	s.size += len(p)
	s.add(p, false)
	return len(p), take(&s.large, 0), nil
}

// hold tells whether n bytes more may be held, and counts them.
func (s *heldSink) hold(n int) (ok bool, err error) {
	if !s.released && s.size+n > heldMax {
		if err := s.Release(); err != nil {
			return false, err
		}
	}
	if s.released {
		return false, nil
	}
	s.size += n
	return true, nil
}

func (s *heldSink) last() []byte { return s.parts[len(s.parts)-1] }

// add begins a part.
func (s *heldSink) add(p []byte, open bool) { s.parts, s.open = append(s.parts, p), open }

// take gives memory that is not in use, or else size bytes; nil if that is 0.
func take(spare *[][]byte, size int) []byte {
	if n := len(*spare); n > 0 {
		p := (*spare)[n-1]
		*spare = (*spare)[:n-1]
		return p[:0]
	}
	if size == 0 {
		return nil
	}
	return room.Make(size)[:0]
}

func (s *heldSink) Patchable() bool { return !s.released }

func (s *heldSink) Patch(p []byte, off int64) error {
	for _, part := range s.parts {
		if off < int64(len(part)) {
			p = p[copy(part[off:], p):]
		}
		if off = max(off-int64(len(part)), 0); len(p) == 0 {
			break
		}
	}
	return nil
}

func (s *heldSink) Release() error {
	if s.released {
		return nil
	}
	s.released = true
	// Who gathers it all in memory makes room for it at once. What a Grow method
	// of other types means nobody knows: a file's may make it longer.
	switch w := s.w.(type) {
	case *bytes.Buffer:
		w.Grow(s.size)
	case *strings.Builder:
		w.Grow(s.size)
	}
	var err error
	for i := 0; i < len(s.parts) && err == nil; i++ {
		_, err = writeFull(s.w, s.parts[i])
	}
	s.drop()
	return err
}

// drop gives up all that is held.
func (s *heldSink) drop() {
	for i, p := range s.parts {
		if cap(p) == heldPart {
			s.small = append(s.small, p)
		} else {
			s.large = append(s.large, p)
		}
		s.parts[i] = nil
	}
	s.parts, s.size, s.open = s.parts[:0], 0, false
}

func (s *heldSink) Close() error { return s.Release() }
func (s *heldSink) Discard()     { s.drop(); s.released = true }
