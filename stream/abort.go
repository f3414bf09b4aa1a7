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

// Close finishes the frame. It does not close the sink or flush a buffer of the
// sink, and does nothing when called again. It returns the first error of the
// Writer. After an error of the source in ReadFrom the frame is left
// unfinished, as by CloseWithError.
func (w *Writer) Close() error {
	if w.closed {
		return w.err
	}
	w.guarded(func() {
		if w.alive() == nil && w.source != nil {
			w.breakOff()
		} else {
			w.finish()
		}
	})
	w.coder.stop()
	w.closed = true
	return w.err
}

// CloseWithError is like Close if err is nil or io.EOF. With another error, the
// reason why the data are incomplete, it writes the data so far but not the end of
// the frame: a Reader returns these data and then io.ErrUnexpectedEOF. If the frame
// was committed, by Checkpoint or before Append, it writes nothing more and the
// committed frame remains; with Spool and Layout2019 it writes nothing at all.
// CloseWithError returns err, or an earlier error of the Writer.
func (w *Writer) CloseWithError(err error) error {
	if !w.closed && err != nil && err != io.EOF {
		w.source = cmp.Or(w.source, err)
	}
	return w.Close()
}

// breakOff ends the Writer with the error of its source, and does not write the end
// of the frame.
func (w *Writer) breakOff() {
	err := w.source
	if !w.committed() && w.cfg.spool < 0 && w.cfg.layout != header.Layout2019 {
		w.drain() // an error of the source takes precedence over one of the sink
	}
	w.abort(err)
	if err := w.rollBack(); err != nil {
		w.err = errors.Join(w.err, err)
	}
}

// rollBack restores a committed frame to its state at the last Flush or Checkpoint, or
// before Append, because a Writer that reuses space may have committed more. If the sink
// is not a file that can be changed, later data remain readable in a frame that is not
// closed. The later rows of an array remain readable too, because their number is stored
// in the frame.
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

// drain writes all data so far, including the current chunk.
func (w *Writer) drain() error {
	if w.fill > w.kept {
		if err := w.submitShort(); err != nil {
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

// Abort is like Close, but does not end the frame. It writes nothing more, ends the
// workers and removes a temporary file. Data not yet written, the first 4 MiB for a sink
// that cannot be patched, are dropped. Close and the other methods then return err, or
// blosc2.ErrClosed if err is nil. Abort returns the same, or an earlier error of the
// Writer. After Close it does nothing, so it can be deferred. Data flushed to a file that
// was committed before are kept, and committed.
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
