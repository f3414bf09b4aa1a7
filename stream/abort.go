package stream

import (
	"cmp"
	"errors"
	"io"
	"io/fs"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
)

// Close finishes the frame. It does not close the sink, nor flush what the sink
// buffers itself, and does nothing when called again. It returns the first error
// that the Writer had. Where that is an error of the source of ReadFrom, the
// frame is left unfinished, as by CloseWithError.
func (w *Writer) Close() error {
	if w.closed {
		return w.err
	}
	returned := false
	defer w.guard(&returned)
	if w.alive() == nil && w.source != nil {
		w.breakOff()
	} else {
		w.finish()
	}
	returned = true
	w.coder.stop()
	w.closed = true
	return w.err
}

// CloseWithError is Close where err is nil or io.EOF. With another error, which
// is the reason why the data are not complete, it writes what has come, but not
// the end of the frame: a Reader of it returns these data and then
// io.ErrUnexpectedEOF. Where a frame was committed, by Checkpoint or before
// Append, nothing more is written and that frame stays as it is; with Spool and
// Layout2019 nothing is written at all. CloseWithError returns err, unless the
// Writer had an error before.
func (w *Writer) CloseWithError(err error) error {
	if !w.closed && err != nil && err != io.EOF {
		w.source = cmp.Or(w.source, err)
	}
	return w.Close()
}

// breakOff ends the Writer with the error of its source, and the frame without
// its end.
func (w *Writer) breakOff() {
	err := w.source
	if !w.committed() && w.cfg.spool < 0 && w.cfg.layout != header.Layout2019 {
		w.drain() // an error of the sink comes after that of the source
	}
	w.abort(err)
	if err := w.rollBack(); err != nil {
		w.err = errors.Join(w.err, err)
	}
}

// rollBack makes a frame that was committed what it was at the last Flush or
// Checkpoint, or before Append: a Writer commits more than it was asked to where
// it must use a place again. Where the sink is not a file that can be changed,
// what has come since stays readable in a frame that is not closed. So do the rows
// of an array, whose number its frame knows.
func (w *Writer) rollBack() error {
	if !w.committed() || w.array || w.cfg.rows {
		return nil
	}
	sink := w.sink.(*patchSink)
	file, ok := sink.at.(frame.File)
	s, seeks := sink.at.(interface{ Stat() (fs.FileInfo, error) })
	if !ok || !seeks || sink.base != 0 {
		return nil
	}
	info, err := s.Stat()
	if err != nil {
		return err
	}
	e, err := frame.Edit(file, info.Size())
	if err != nil {
		return err
	}
	defer e.Close()
	if e.Size() <= w.safe {
		return nil
	}
	if err := e.Truncate(w.safe); err != nil {
		return err
	}
	return e.Commit()
}

// committed reports whether the frame was ever sealed.
func (w *Writer) committed() bool { return w.log != nil && w.log.Committed() }

// drain writes all that has come, the current chunk included.
func (w *Writer) drain() error {
	if w.fill > w.kept {
		if err := w.submit(); err != nil {
			return err
		}
	}
	if err := w.emitAll(); err != nil {
		return err
	}
	if w.frame == nil {
		if err := w.begin(); err != nil {
			return err
		}
	}
	return w.sink.Release()
}

// Abort is Close without the end of the frame: nothing more is written, workers
// end, and a temporary file is removed. What was held back, the first 4 MiB for
// a sink that cannot be patched, is dropped. Close and the other methods return
// err from then on, or blosc2.ErrClosed where err is nil. Abort returns the same,
// unless the Writer had an error before, which is returned then, or was closed:
// so after a Close without an error it does nothing, and can be deferred. What was
// flushed into a file that was committed before stays, and is committed.
func (w *Writer) Abort(err error) error {
	if w.closed {
		return w.err
	}
	if err == nil {
		err = blosc2.ErrClosed
	}
	err = w.abort(err)
	w.closed = true
	return err
}
