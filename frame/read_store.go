package frame

import (
	"io"

	"github.com/seed03b80dae/blosc2"
)

// A store holds the chunks of a frame.
type store interface {
	// readChunk reads bytes into b from offset off of the chunk with the given index
	// entry, and from the bytes after the chunk. It returns fewer than len(b) bytes
	// without an error only at the end of the source.
	readChunk(b []byte, entry, off int64) (n int, err error)
	// place returns the offset of the chunk in the source, or -1 if it has none.
	place(entry int64) int64
}

// A contiguous is the store of a frame in a single file.
type contiguous struct {
	r     io.ReaderAt
	first int64 // offsets in the index count from here
	end   int64 // chunks and records end before it
}

func (c contiguous) place(entry int64) int64 { return c.first + entry }

func (c contiguous) readChunk(b []byte, entry, off int64) (int, error) {
	at := c.first + entry + off
	if at > c.end {
		return 0, nil
	}
	b = b[:min(int64(len(b)), c.end-at)]
	n, err := c.r.ReadAt(b, at)
	if n == len(b) || err == io.EOF {
		err = nil
	}
	return n, err
}

// endsEarly returns the error for a chunk that the source holds only have bytes of.
func endsEarly(have int, want int64) error {
	return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "truncated: has %[2]d of %[1]d bytes", want, have)
}
