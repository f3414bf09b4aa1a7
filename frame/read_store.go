package frame

import (
	"io"

	"github.com/seed03b80dae/blosc2"
)

// store is where the chunks of a frame are kept.
type store interface {
	// readChunk reads bytes of the chunk with the given index entry from off
	// on, and of what follows it, into b. It returns fewer only where there are
	// no more, without an error then.
	readChunk(b []byte, entry, off int64) (n int, err error)
	// place is where the chunk begins in the source, -1 if that says nothing.
	place(entry int64) int64
}

// contiguous is the store of a frame that is one file.
type contiguous struct {
	r     io.ReaderAt
	first int64 // where offsets count from
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

// endsEarly is the error for a chunk of which there are only have bytes.
func endsEarly(have int, want int64) error {
	return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "%d bytes of which there are %d", want, have)
}
