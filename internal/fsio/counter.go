package fsio

import (
	"encoding/binary"
	"io"
)

// A sidecar has 16 bytes: eight of which C-Blosc2 makes no use, and from 8 on the
// counter of changes in the machine's byte order (docs/format/frame.md §9). In the
// first four of a sidecar that Lock made are those of mark, and in the next four the
// lower half of the counter: where they agree no other program has counted there,
// which would miss the counter if the sidecar were removed.
const (
	sideLen = 16
	mark    = "b2go"
)

// countChange counts a change in a sidecar, and reports whether that is one that
// this package made and nobody else has used; isNew says that it has been made now.
func countChange(side interface {
	io.ReaderAt
	io.WriterAt
}, isNew bool) (ours bool, err error) {
	var b [sideLen]byte
	if _, err := side.ReadAt(b[:], 0); err != nil && err != io.EOF {
		return false, err
	}
	n := binary.NativeEndian.Uint64(b[8:])
	ours = isNew || string(b[:4]) == mark && binary.NativeEndian.Uint32(b[4:]) == uint32(n)
	n++
	binary.NativeEndian.PutUint64(b[8:], n)
	from := 8
	if ours {
		copy(b[:], mark)
		binary.NativeEndian.PutUint32(b[4:], uint32(n))
		from = 0
	}
	_, err = side.WriteAt(b[from:], int64(from))
	return ours, err
}
