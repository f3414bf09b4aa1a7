package frame

import (
	"bytes"
	"errors"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// This file determines what may follow a frame, for readers, writers and Verify.

// A follower is the kind of bytes that follow a frame.
type follower uint8

const (
	nothing     follower = iota
	another              // the next frame of the stream
	uncommitted          // data that a writer has flushed or was writing
	foreign              // any other bytes: blosc2.ErrTrailing
)

// afterLen returns the number of bytes that show what follows a frame, which ends at off
// in its file. b holds the first of these bytes, perhaps none. The result never exceeds
// the number of bytes that a next frame or a writer writes there at once. For a writer's
// bytes it does not extend beyond the sector, because the next sector may be lost.
func afterLen(first byte, off int64) int {
	left := int(sector - off%sector)
	switch {
	case first == Magic[0]:
		return len(Magic)
	case first == 0:
		return min(recordLen, left)
	case first == framing.RecordMagic[0] || first >= 1 && first <= chunk.VersionVL:
		return min(minChunk, left)
	}
	return 1
}

// followerOf returns the kind of the bytes that begin with b. b holds as many of them as
// afterLen requires, or all if there are fewer.
func followerOf(b []byte) follower {
	switch {
	case len(b) == 0:
		return nothing
	case string(b) == Magic:
		return another
	case isUncommitted(b):
		return uncommitted
	}
	return foreign
}

// isUncommitted reports whether b begins with uncommitted data of a writer. That is a
// record, a chunk, or zeros. An Editor writes zeros before chunks that are out of order,
// and a power failure leaves them in place of a sector that was not written.
func isUncommitted(b []byte) bool {
	if b[0] == 0 {
		return len(bytes.TrimLeft(b, "\x00")) == 0
	}
	if len(b) < minChunk { // the chunk is cut off
		return b[0] >= 1 && b[0] <= chunk.VersionVL || bytes.HasPrefix([]byte(framing.RecordMagic), b[:min(len(b), len(framing.RecordMagic))])
	}
	if r, ok := parseRecord(b); ok {
		return r.kind == kindHeader || r.kind == kindContinue
	}
	if chunkNBytes(b) == 0 && b[0] >= 1 && b[0] <= chunk.VersionVL { // the end mark is not a chunk of data
		return chunkCBytes(b) == endMarkLen
	}
	h, err := chunk.ParseHeader(b)
	return err == nil && h.Version <= chunk.VersionVL && h.CBytes >= minChunk && (h.CBytes <= h.NBytes+chunk.Overhead || h.VLBlocks())
}

// readAfter reads the first bytes after a frame that ends at off in its file
// and returns their kind. It reads no more than necessary, into scratch, which
// has minChunk bytes.
func readAfter(r io.Reader, off int64, scratch []byte) (b []byte, what follower, err error) {
	b = scratch[:1]
	n, err := io.ReadFull(r, b)
	if n == 1 {
		var more int
		b = b[:afterLen(b[0], off)]
		more, err = io.ReadFull(r, b[1:])
		n += more
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return b[:n], followerOf(b[:n]), err
}

// Follows reports whether another frame begins at off, the end of the frame with
// header h in r. The end of r, or uncommitted data of a writer, is not an error.
// Anything else results in a *blosc2.FormatError that wraps blosc2.ErrTrailing,
// unless the frame is of a layout before C-Blosc2 2.0.
func Follows(h *header.Header, r io.ReaderAt, off int64) (bool, error) {
	if err := framing.Need(h != nil, "header", "the header of a frame"); err != nil {
		return false, err
	}
	if err := framing.Need(r != nil, "source", "an io.ReaderAt"); err != nil {
		return false, err
	}
	b, what, err := readAfter(io.NewSectionReader(r, off, minChunk), off, make([]byte, minChunk))
	if err == nil && what == foreign && !leavesBytes(h) {
		err = trailing(b, off)
	}
	return what == another && err == nil, err
}

// leavesBytes reports whether the frame is from a time when the libraries did not
// truncate the file after a frame.
func leavesBytes(h *header.Header) bool { return h.Generation != header.Current }

// trailing returns the error for bytes after a frame. They begin with b, and the frame
// ends at off.
func trailing(b []byte, off int64) error {
	e := errorAt(off, blosc2.PartHeader, blosc2.ErrTrailing, "not a frame: begins with % x", b[:min(len(b), len(Magic))])
	if len(b) < len(Magic) && bytes.HasPrefix([]byte(Magic), b) {
		e.Msg, e.Cause = "the next frame ends within its header", io.ErrUnexpectedEOF
	}
	return e
}

// isTrailing reports whether err is about the bytes after a frame, not about
// reading them.
func isTrailing(err error) bool { return errors.Is(err, blosc2.ErrTrailing) }
