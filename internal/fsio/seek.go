package fsio

import "io"

// Offset returns the offset that Seek(off, whence) names, from the current one or the
// size.
func Offset(off int64, whence int, current, size int64) int64 {
	switch whence {
	case io.SeekCurrent:
		return current + off
	case io.SeekEnd:
		return size + off
	}
	return off
}
