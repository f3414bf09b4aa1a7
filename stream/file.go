package stream

import (
	"errors"
	"os"

	"github.com/seed03b80dae/blosc2/frame"
)

// A FileWriter is a Writer that goes on with the frame in a file, which it has
// locked against other writers.
type FileWriter struct {
	*Writer
	file   *os.File
	unlock func() error
}

// AppendFile is Append for the file that a path names. Other writers that take
// C-Blosc2's lock are kept out until Close.
func AppendFile(path string, opts ...WriterOption) (*FileWriter, error) {
	unlock, err := frame.Lock(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	info, err := file.Stat()
	if err == nil {
		var w *Writer
		if w, err = Append(file, info.Size(), opts...); err == nil {
			return &FileWriter{w, file, unlock}, nil
		}
	}
	return nil, errors.Join(err, file.Close(), unlock())
}

// Close commits what was written, closes the file and gives the lock back. The
// error is the first that the Writer had, or that of closing.
func (w *FileWriter) Close() error {
	err := w.Writer.Close()
	if w.file == nil {
		return err
	}
	if e := errors.Join(w.file.Close(), w.unlock()); err == nil {
		err = e
	}
	w.file = nil
	return err
}
