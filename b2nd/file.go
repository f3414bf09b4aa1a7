package b2nd

import (
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
	cfg := newConfig(opts)
	f, err := frame.OpenFile(path, cfg.frame...)
	if err != nil {
		return nil, unfinished(err)
	}
	a, err := open(f.Reader, cfg)
	if err != nil {
		f.Close()
		return nil, err
	}
	a.close = f.Close
	return a, nil
}

// A FileWriter is a Writer of a file, which it has locked against other writers.
type FileWriter struct {
	*Writer
	file *fsio.File
}

// CreateFile returns a Writer of a new file, or of an existing one, which it
// truncates: see NewWriter. It holds C-Blosc2's lock on the file until Close,
// CloseWithError or Abort, and waits for another holder as AppendFile does.
func CreateFile(path string, spec Spec, opts ...stream.WriterOption) (_ *FileWriter, err error) {
	defer fsio.AddPath("create", path, &err)
	return openFile(path, opts, func(file *os.File, _ int64) (*Writer, error) {
		w, err := NewWriter(file, spec, opts...) // writes nothing yet; invalid options leave the file unchanged
		if err == nil {
			err = file.Truncate(0)
		}
		return w, err
	})
}

// AppendFile is like Append, for the named file. A program calls it at each start
// to continue its log of rows: if the file is missing or empty, or its writer died
// before the header was complete, AppendFile begins a new array as described by
// spec, whose first dimension must be Unknown. An existing array must match spec in
// dtype, number of dimensions and shape, except for the number of rows. ChunkShape
// and BlockShape must be the array's or nil, and Params apply only to a new array.
// With stream.Auto, the first Flush, Checkpoint or Close fixes the shape of blocks: see
// Spec.
// A file without an array, or with one that does not match, is an error, and is not
// changed.
//
// It holds C-Blosc2's lock on the file until Close, CloseWithError or Abort. AppendFile
// waits while another process holds it: see stream.LockWait. If that takes too long it
// returns blosc2.ErrLocked, in an error that names the path.
func AppendFile(path string, spec Spec, opts ...stream.WriterOption) (_ *FileWriter, err error) {
	defer fsio.AddPath("append", path, &err)
	if len(spec.Shape) == 0 || spec.Shape[0] != Unknown {
		return nil, errNotGrowing(spec)
	}
	return openFile(path, opts, func(file *os.File, size int64) (*Writer, error) {
		return appendOrCreate(file, size, spec, opts)
	})
}

// openFile locks and opens a file for writing, and creates it if it does not exist.
// On failure it removes a file that it created.
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

// Close commits the data, then closes and unlocks the file. It returns the first
// error of the Writer, or that of closing. Only a file that was committed before is
// synced: if a new one must survive a crash of the machine, call Checkpoint first.
func (w *FileWriter) Close() error { return w.file.Release(w.Writer.Close()) }

// CloseRows is like Writer.CloseRows, and then closes and unlocks the file.
func (w *FileWriter) CloseRows() error { return w.file.Release(w.Writer.CloseRows()) }

// CloseWithError is like Close if err is nil or io.EOF. Otherwise it leaves the
// array unfinished with the flushed rows. In any case it closes and unlocks the
// file.
func (w *FileWriter) CloseWithError(err error) error {
	return w.file.Release(w.Writer.CloseWithError(err))
}

// Abort is like Writer.Abort, and then closes and unlocks the file.
func (w *FileWriter) Abort(err error) error { return w.file.Release(w.Writer.Abort(err)) }
