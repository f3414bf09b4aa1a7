package b2nd

import (
	"cmp"
	"os"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/stream"
)

// OpenFile opens the array in a file or, of a sparse frame, in a directory.
// Close closes the file.
func OpenFile(path string, opts ...Option) (_ *Array, err error) {
	defer fsio.AddPath("open", path, &err)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		cfg := newConfig(opts)
		f, err := frame.OpenFS(os.DirFS(path), cfg.frame...)
		if err != nil {
			return nil, err
		}
		return open(f, cfg)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	a, err := Open(file, info.Size(), opts...)
	if err != nil {
		file.Close()
		return nil, err
	}
	a.close = file.Close
	return a, nil
}

// A FileWriter is a Writer of a file, which it has locked against other writers.
type FileWriter struct {
	*Writer
	file *fsio.File
}

// CreateFile returns a Writer of a new file, or of an existing one whose content
// is dropped: see NewWriter. Other writers that take C-Blosc2's lock are kept out
// until Close, CloseWithError or Abort; CreateFile waits for one as AppendFile does.
func CreateFile(path string, spec Spec, opts ...stream.WriterOption) (_ *FileWriter, err error) {
	defer fsio.AddPath("create", path, &err)
	return openFile(path, opts, func(file *os.File, _ int64) (*Writer, error) {
		w, err := NewWriter(file, spec, opts...) // writes nothing yet; wrong options leave the file as it is
		if err == nil {
			err = file.Truncate(0)
		}
		return w, err
	})
}

// AppendFile is Append for the file that a path names. It is the one call that a
// program makes at each start to go on with its log of rows: a file that is
// missing or empty, or whose writer died before the header was whole, becomes a
// new array, as NewWriter makes it of spec, whose first dimension must be Unknown.
// The array in any other file must be one that spec describes: of as many
// dimensions, the same shape but for the number of rows, and the same dtype.
// ChunkShape and BlockShape must be the array's or nil, and Params are for a new
// array alone. A file that holds no array, or another one, is an error, and stays
// as it is.
//
// Other writers that take C-Blosc2's lock are kept out until Close,
// CloseWithError or Abort. AppendFile waits while another one holds it: see
// stream.LockWait. Where that takes too long the error is blosc2.ErrLocked and
// names the path.
func AppendFile(path string, spec Spec, opts ...stream.WriterOption) (_ *FileWriter, err error) {
	defer fsio.AddPath("append", path, &err)
	if len(spec.Shape) == 0 || spec.Shape[0] != Unknown {
		return nil, errNotGrowing(spec)
	}
	return openFile(path, opts, func(file *os.File, size int64) (*Writer, error) {
		return appendOrCreate(file, size, spec, opts)
	})
}

// openFile locks and opens a file for writing, and makes it if it is missing. A
// file that was made is removed if that fails.
func openFile(path string, opts []stream.WriterOption, open func(file *os.File, size int64) (*Writer, error)) (*FileWriter, error) {
	var w *Writer
	locking := fsio.LockingOf(fsio.Locking{Wait: frame.DefaultLockWait}, opts)
	file, err := fsio.Open(path, true, locking, func(file *os.File, size int64) (err error) {
		w, err = open(file, size)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &FileWriter{w, file}, nil
}

// appendOrCreate returns a Writer of a file of size bytes that may be empty.
func appendOrCreate(file *os.File, size int64, spec Spec, opts []stream.WriterOption) (*Writer, error) {
	fresh, err := framing.Unborn(file, size)
	if err != nil {
		return nil, err
	}
	if !fresh {
		return appendTo(file, size, &spec, opts)
	}
	if err := file.Truncate(0); err != nil {
		return nil, err
	}
	return NewWriter(file, spec, opts...)
}

// Close commits what was written, closes and unlocks the file. It returns the
// first error that the Writer had, or that of closing.
func (w *FileWriter) Close() error { return w.release(w.Writer.Close()) }

// CloseRows is Writer.CloseRows, and closes and unlocks the file.
func (w *FileWriter) CloseRows() error { return w.release(w.Writer.CloseRows()) }

// CloseWithError is Close where err is nil or io.EOF. Else the array is left
// unfinished with the rows that were flushed. The file is closed and unlocked in
// any case.
func (w *FileWriter) CloseWithError(err error) error {
	return w.release(w.Writer.CloseWithError(err))
}

// Abort is Writer.Abort, and closes and unlocks the file.
func (w *FileWriter) Abort(err error) error { return w.release(w.Writer.Abort(err)) }

// release closes and unlocks the file, once. It returns err, or else the error of
// that.
func (w *FileWriter) release(err error) error {
	if w.file == nil {
		return err
	}
	file := w.file
	w.file = nil
	return cmp.Or(err, file.Release())
}
