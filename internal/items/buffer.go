package items

import "sync"

// bufferBytes is the number of bytes of items to convert at a time: few enough to stay
// in a cache.
const bufferBytes = 32 << 10

// A buffer is memory in which items are converted.
type buffer struct{ b []byte }

var scratch = sync.Pool{New: func() any { return new(buffer) }}

// free returns the memory.
func (s *buffer) free() {
	if cap(s.b) > 16*bufferBytes { // do not keep the memory of a single large item
		s.b = nil
	}
	scratch.Put(s)
}

// room returns memory for at most n stored items of the plan, and for at least one.
func (s *buffer) room(p *Plan, n int) []byte {
	size := min(n, max(bufferBytes/p.item, 1)) * p.item
	if cap(s.b) < size {
		s.b = make([]byte, max(size, bufferBytes))
	}
	return s.b[:size]
}
