package chunk

import (
	"io"

	"github.com/seed03b80dae/blosc2"
)

// parseDict returns the dictionary, which follows the block starts at the given offset.
// It is stored as its length in four bytes and its bytes (docs/format/chunk.md §7).
func (l *Layout) parseDict(c []byte, at int) ([]byte, error) {
	h := &l.Header
	if at+4 > h.CBytes {
		return nil, fault(at, blosc2.ErrCorrupt, "ends before the length of the dictionary")
	}
	if at+4 > len(c) {
		return nil, fault(at, io.ErrUnexpectedEOF, "truncated before the length of the dictionary")
	}
	n := i32(c[at:])
	at += 4
	if n < 1 || n > MaxDict || n > h.CBytes-at {
		return nil, fault(at-4, blosc2.ErrCorrupt, "dictionary length %d: must be 1 to %d and within the chunk", n, MaxDict)
	}
	if n > len(c)-at {
		return nil, fault(at, io.ErrUnexpectedEOF, "truncated dictionary: has %[2]d of %[1]d bytes", n, len(c)-at)
	}
	return c[at : at+n : at+n], nil
}
