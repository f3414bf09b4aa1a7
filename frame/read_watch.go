package frame

import "io"

// Many parts of a log are optional, so bytes that cannot be read must not be treated as
// missing. While a frame is opened, errors of reads are recorded, and make opening fail.

// A watched is a source that records errors while a frame is opened.
type watched struct {
	io.ReaderAt
	done bool
	err  error
}

func (w *watched) ReadAt(p []byte, off int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(p, off)
	if !w.done && w.err == nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// A watchedFile is a file that refuses changes after a read has failed.
type watchedFile struct {
	watched
	File
}

func watch(file File) *watchedFile { return &watchedFile{watched{ReaderAt: file}, file} }

func (w *watchedFile) ReadAt(p []byte, off int64) (int, error) { return w.watched.ReadAt(p, off) }

func (w *watchedFile) WriteAt(p []byte, off int64) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	return w.File.WriteAt(p, off)
}

func (w *watchedFile) Truncate(size int64) error {
	if w.err != nil {
		return w.err
	}
	return w.File.Truncate(size)
}

// end stops recording errors. It returns the error of a read, or err if there was none.
func (w *watched) end(err error) error {
	w.done = true
	if w.err != nil {
		return w.err
	}
	return err
}
