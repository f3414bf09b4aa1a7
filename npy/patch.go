package npy

import "io"

// patchable returns a writer that can rewrite bytes from the current position of w,
// or nil. It tries the methods, because a pipe is an *os.File too but cannot seek,
// and a file opened to append rejects positioned writes, even empty ones.
func patchable(w io.Writer) (patch io.WriterAt, at int64) {
	s, ok := w.(io.Seeker)
	if !ok {
		return nil, 0
	}
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, 0
	}
	if patch, ok = w.(io.WriterAt); !ok {
		patch = seekWriter{s, w}
	}
	if _, err := patch.WriteAt(nil, at); err != nil {
		return nil, 0
	}
	return patch, at
}

// A seekWriter implements WriteAt by seeking to the offset and back.
type seekWriter struct {
	s io.Seeker
	w io.Writer
}

func (w seekWriter) WriteAt(p []byte, off int64) (int, error) {
	back, err := w.s.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	if _, err := w.s.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := w.w.Write(p)
	if err == nil && n != len(p) {
		err = io.ErrShortWrite
	}
	if _, e := w.s.Seek(back, io.SeekStart); err == nil {
		err = e
	}
	return n, err
}
