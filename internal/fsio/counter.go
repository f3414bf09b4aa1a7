package fsio

import (
	"encoding/binary"
	"io"
)

// A sidecar has 16 bytes: eight that C-Blosc2 does not use, and the counter of
// changes in the machine's byte order (docs/format/frame.md §9). A sidecar
// created by Lock begins with the four bytes of mark and the lower half of the
// counter: if that matches the counter, no other program has used the sidecar,
// and it may be removed. The same is true of an empty one: whoever created it has not
// counted a change yet.
const (
	sideLen = 16
	mark    = "b2go"
)

// countChange counts a change in a sidecar, and reports whether only this
// package has used it; isNew reports that it was just created.
func countChange(side interface {
	io.ReaderAt
	io.WriterAt
}, isNew bool) (ours bool, err error) {
	var b [sideLen]byte
	read, err := side.ReadAt(b[:], 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	n := binary.NativeEndian.Uint64(b[8:])
	ours = isNew || read == 0 || string(b[:4]) == mark && binary.NativeEndian.Uint32(b[4:]) == uint32(n)
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
