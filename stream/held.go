package stream

import (
	"bytes"
	"io"
	"math"
	"strings"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// heldMax is the number of bytes of output that are held in memory for a sink that
// cannot be patched. A shorter frame is sealed. It holds four
// chunks of the default size that do not compress.
const heldMax = 4 << 20

// heldPart is the size of the buffers for small parts of a frame: a 64th of heldMax.
const heldPart = 64 << 10

// A heldSink can be patched only in the bytes that it still holds, or in a
// bytes.Buffer. It holds chunks in the memory that they were encoded to, unless
// they fill less than half of it. Its memory is reused after a Reset.
type heldSink struct {
	w        io.Writer
	max      int // most bytes to hold
	parts    [][]byte
	size     int      // total size of the parts
	open     bool     // the last part has heldPart bytes of memory and can be appended to
	small    [][]byte // unused buffers of heldPart bytes
	large    [][]byte // unused buffers for chunks
	released bool
	buffer   inBuffer // tracks the written bytes if w is a bytes.Buffer
}

// reuse makes s a sink for w that holds nothing.
func (s *heldSink) reuse(w io.Writer) {
	s.drop()
	s.w, s.released, s.max = w, false, heldMax
	s.buffer.begin(nil)
	if _, ok := w.(*strings.Builder); ok {
		s.max = math.MaxInt // the frame stays in memory anyway, and cannot be patched once written
	}
}

func (s *heldSink) Write(p []byte) (int, error) {
	if ok, err := s.hold(len(p)); !ok {
		if err != nil {
			return 0, err
		}
		return s.pass(p)
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
	if s.released || len(p) < cap(p)/2 || len(p) < heldPart || s.size+len(p) > s.max {
		return writeChunk(s, p)
	}
	s.size += len(p)
	s.add(p, false)
	return len(p), take(&s.large, 0), nil
}

// hold reports whether n more bytes may be held, and counts them.
func (s *heldSink) hold(n int) (ok bool, err error) {
	if !s.released && s.size+n > s.max {
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

// pass writes p to the underlying writer.
func (s *heldSink) pass(p []byte) (int, error) {
	n, err := fsio.WriteFull(s.w, p)
	s.buffer.wrote(p[:n])
	return n, err
}

func (s *heldSink) last() []byte { return s.parts[len(s.parts)-1] }

// add begins a part.
func (s *heldSink) add(p []byte, open bool) { s.parts, s.open = append(s.parts, p), open }

// take returns memory that is not in use, or allocates size bytes. It returns nil
// if size is 0.
func take(spare *[][]byte, size int) []byte {
	if n := len(*spare); n > 0 {
		p := (*spare)[n-1]
		*spare = (*spare)[:n-1]
		return p[:0]
	}
	if size == 0 {
		return nil
	}
	return make([]byte, 0, size)
}

func (s *heldSink) Patchable() bool { return !s.released || s.buffer.bytes() != nil }

func (s *heldSink) Patch(p []byte, off int64) error {
	if s.released {
		s.buffer.patch(p, int(off))
		return nil
	}
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
	// A sink in memory grows only once. Other types are not grown, because their Grow may
	// mean something else, such as extending a file.
	switch w := s.w.(type) {
	case *bytes.Buffer:
		s.buffer.begin(w)
		w.Grow(s.size)
	case *strings.Builder:
		w.Grow(s.size)
	}
	var err error
	for i := 0; i < len(s.parts) && err == nil; i++ {
		_, err = s.pass(s.parts[i])
	}
	s.drop()
	return err
}

// detach ends a frame that another follows; it can no longer be patched.
func (s *heldSink) detach() error {
	err := s.Release()
	s.buffer.begin(nil)
	return err
}

// drop releases the held bytes. It keeps at most heldMax bytes of memory.
func (s *heldSink) drop() {
	kept := 0
	for i, p := range s.parts {
		s.parts[i] = nil
		if kept += len(p); kept > heldMax {
			continue
		}
		if cap(p) == heldPart {
			s.small = append(s.small, p)
		} else {
			s.large = append(s.large, p)
		}
	}
	s.parts, s.size, s.open = s.parts[:0], 0, false
}

func (s *heldSink) Close() error { return s.Release() }

func (s *heldSink) Discard() {
	s.drop()
	s.released = true
	s.buffer.begin(nil)
}
