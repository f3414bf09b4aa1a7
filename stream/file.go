package stream

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// A FileWriter is a Writer of a file, which it has locked against other writers.
// Reset and ResetContext return errors.ErrUnsupported: open another file instead.
type FileWriter struct {
	*Writer
	file *fsio.File
}

// CreateFile returns a Writer of a new file, or of an existing one, which it
// truncates. It holds C-Blosc2's lock on the file until Close, CloseWithError
// or Abort, and waits for another holder as AppendFile does.
func CreateFile(path string, opts ...WriterOption) (_ *FileWriter, err error) {
	defer fsio.AddPath("create", path, &err)
	return openFile(path, opts, func(file *os.File, size int64) (*Writer, error) {
		w, err := NewWriter(file, opts...) // writes nothing yet; invalid options leave the file unchanged
		if err == nil {
			err = file.Truncate(0)
		}
		return w, err
	})
}

// AppendFile is like Append, for the named file. A program calls it at each start
// to continue its log: if the file is missing or empty, or its writer died before
// the header was complete, AppendFile begins a new frame, with the options of
// NewWriter. The options can be the same at each start. For an existing frame, TypeSize,
// BlockSize, ChunkSize, Metalayer, Threads and Checks must match it, and its typesize must be a
// multiple of ItemSize; Codec, Level, Filters, Split and Auto may differ, and apply to new
// chunks: see Append. A file that is not a frame is an error, and is not changed.
//
// It holds C-Blosc2's lock on the file until Close, CloseWithError or Abort. AppendFile
// waits while another process holds it: see LockWait. If that takes too long it returns
// blosc2.ErrLocked, in an error that names the path.
//
// # Logs
//
// A program that logs for months calls AppendFile at each start, Write for each
// record, Flush when a record must survive the death of the process, and
// Checkpoint when it must survive a crash of the machine and be readable by
// C-Blosc2:
//
//	w, err := stream.AppendFile("sensor.b2frame", stream.TypeSize(8))
//	if err != nil {
//		return err
//	}
//	defer w.Close()
//
// A Flush into a file costs the new bytes, and the file stays close to the size
// it would have without flushes: at most two chunks more while it is written,
// and no more after Close. AppendFile continues from any state. Offset
// then returns how many bytes the log holds, and Recovered how many of them were
// flushed but not committed. Readers in this or another process see everything
// that was flushed; of a log whose writer is active or has died they return all
// of it, and then io.ErrUnexpectedEOF. What the file holds at every moment is in
// docs/logs.md.
//
// To rotate logs by time or size, close the Writer, rename the file, and call
// AppendFile again. A sequence of such files is one stream for a Reader of an
// io.MultiReader, and frame.ConcatFiles joins them, with frame.Uniform for
// C-Blosc2 2 and python-blosc2.
func AppendFile(path string, opts ...WriterOption) (_ *FileWriter, err error) {
	defer fsio.AddPath("append", path, &err)
	return openFile(path, opts, func(file *os.File, size int64) (*Writer, error) {
		fresh, err := framing.Unborn(file, size)
		if err != nil {
			return nil, err
		}
		if !fresh {
			w, err := Append(file, size, opts...)
			if oe := (*blosc2.OptionError)(nil); errors.As(err, &oe) { // the option does not fit this file, so the error names it
				err = &fs.PathError{Op: "append", Path: path, Err: err}
			}
			return w, err
		}
		if err := file.Truncate(0); err != nil {
			return nil, err
		}
		return NewWriter(file, opts...)
	})
}

// openFile locks and opens a file for writing, and creates it if missing. On
// failure it removes a file that it created.
func openFile(path string, opts []WriterOption, open func(file *os.File, size int64) (*Writer, error)) (_ *FileWriter, err error) {
	cfg := writerOptions(opts)
	if err := cfg.check(); err != nil {
		return nil, err
	}
	var w *Writer
	file, err := fsio.Open(path, true, cfg.locking(), func(file *os.File, size int64) (err error) {
		w, err = open(file, size)
		return err
	})
	if err != nil {
		return nil, err
	}
	w.fixed = true
	return &FileWriter{w, file}, nil
}

// Close commits the data, then closes and unlocks the file. It returns the first
// error of the Writer, or that of closing. Only a file that was committed before is
// synced: if a new one must survive a crash of the machine, call Checkpoint first.
func (w *FileWriter) Close() error { return w.file.Release(w.Writer.Close()) }

// CloseWithError is like Close if err is nil or io.EOF. Otherwise it commits
// nothing more: a frame that was ever sealed returns to its state at the last Flush
// or Checkpoint, or before AppendFile. In any case it closes and unlocks the file.
func (w *FileWriter) CloseWithError(err error) error {
	return w.file.Release(w.Writer.CloseWithError(err))
}

// Abort is like CloseWithError with err, or with blosc2.ErrClosed if err is nil.
func (w *FileWriter) Abort(err error) error {
	done := w.closed
	err = w.Writer.Abort(err)
	if !done {
		if e := w.rollBack(); e != nil {
			err = errors.Join(err, e)
		}
	}
	return w.file.Release(err)
}

// A FileReader is a Reader of a file, from front to back. For ReadAt, or the items of a
// range, open the file with frame.OpenFile instead. Reset and ResetContext return
// errors.ErrUnsupported: open another file instead.
type FileReader struct {
	*Reader
	file *os.File
}

// OpenFile returns a Reader of the named file.
func OpenFile(path string, opts ...ReaderOption) (_ *FileReader, err error) {
	defer fsio.AddPath("open", path, &err)
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(file, opts...)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	r.fixed = true
	return &FileReader{r, file}, nil
}

// Close ends the Reader and closes the file.
func (r *FileReader) Close() error {
	err := r.Reader.Close()
	if r.file == nil {
		return err
	}
	file := r.file
	r.file = nil
	return cmp.Or(err, file.Close())
}

var (
	_ io.WriteCloser = (*FileWriter)(nil)
	_ io.ReadCloser  = (*FileReader)(nil)
)
