package fsio

import "io"

// WriteAt writes all of b at off. If fewer bytes are written without an error, it
// returns io.ErrShortWrite.
func WriteAt(file io.WriterAt, b []byte, off int64) error {
	n, err := file.WriteAt(b, off)
	if n < len(b) && err == nil {
		err = io.ErrShortWrite
	}
	return err
}

// WriteFull writes all of p. It returns an error for a short write, even if w returns
// none. n is at most len(p).
func WriteFull(w io.Writer, p []byte) (n int, err error) {
	n, err = w.Write(p)
	if n != len(p) && err == nil {
		err = io.ErrShortWrite
	}
	return min(max(n, 0), len(p)), err
}
