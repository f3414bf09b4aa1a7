package fsio

import (
	"encoding/binary"
	"io"
)

// countChange adds one to the counter of changes in a lock's sidecar file: the
// eight bytes from 8 on, in the machine's byte order (docs/format/frame.md §9).
func countChange(side interface {
	io.ReaderAt
	io.WriterAt
}) error {
	var b [8]byte
	if _, err := side.ReadAt(b[:], 8); err != nil && err != io.EOF {
		return err
	}
	binary.NativeEndian.PutUint64(b[:], binary.NativeEndian.Uint64(b[:])+1)
	_, err := side.WriteAt(b[:], 8)
	return err
}
