package fsio

import "io"

// WriteAt writes all of b at off. Fewer bytes without an error are
// io.ErrShortWrite.
func WriteAt(file io.WriterAt, b []byte, off int64) error {
	n, err := file.WriteAt(b, off)
	if n < len(b) && err == nil {
		err = io.ErrShortWrite
	}
	return err
}

// WriteFull writes all of p. A short write is an error even if w reports none. n is at
// most len(p).
func WriteFull(w io.Writer, p []byte) (n int, err error) {
	n, err = w.Write(p)
	if n != len(p) && err == nil {
		err = io.ErrShortWrite
	}
	return min(max(n, 0), len(p)), err
}
