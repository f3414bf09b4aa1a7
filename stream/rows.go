package stream

import (
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
)

// GrowRows makes Append go on with an array, as package b2nd does: without it an
// array is blosc2.ErrUnsupported, because bytes that are appended are not rows of it.
func GrowRows() WriterOption { return writerOption(func(c *writerConfig) { c.rows = true }) }

// FlushRows is for package b2nd, whose Writer flushes rows of an array that do
// not fill a slab of chunks yet: the first n of the slab that is due. rows
// returns those from one on, and last says that no more follow: see
// frame.Log.FlushRows. The chunks of every whole slab before must have been
// written. ok is false where the sink is no file; nothing of the rows is written
// then.
func (w *Writer) FlushRows(n int64, rows func(from int64) []byte, last bool) (ok bool, err error) {
	returned := false
	defer w.guard(&returned)
	ok, err = w.flushRows(n, rows, last)
	returned = true
	return ok, err
}

func (w *Writer) flushRows(n int64, rows func(from int64) []byte, last bool) (ok bool, err error) {
	if err := w.ready(); err != nil {
		return false, err
	}
	if w.cfg.spool >= 0 || w.cfg.layout == header.Layout2019 || w.cfg.variable {
		return false, nil
	}
	if err := w.emitAll(); err != nil {
		return false, err
	}
	if err := w.beginLog(); err != nil {
		return false, w.abort(err)
	}
	if w.log == nil {
		return false, nil
	}
	w.array = true
	if err := w.log.GrowRows(); err != nil {
		return true, w.abort(err)
	}
	if err := w.log.FlushRows(n, rows, last); err != nil {
		return true, w.abort(err)
	}
	w.dirty = w.dirty || w.log.Dirty()
	return true, nil
}

// Logged reports whether the frame is in a file that was flushed or committed,
// or that Append goes on with.
func (w *Writer) Logged() bool { return w.log != nil }

// openOptions are the options of frame.AppendLog.
func (c *writerConfig) openOptions() (open []frame.Option) {
	if c.dropTail {
		open = append(open, frame.DropTail())
	}
	if c.rows {
		open = append(open, frame.GrowRows())
	}
	return open
}

// Rows returns how many rows the array has that Append goes on with, how many of
// them are of the slab that is due, and how many bytes the file takes.
func (w *Writer) Rows() (rows, pending, size int64) {
	if w.log == nil {
		return 0, 0, 0
	}
	rows, pending = w.log.NumRows()
	return rows, pending, w.log.End()
}

// Rows returns how many rows the array has that the frame holds, as
// frame.Reader.Rows does, once the header was read. ok is false where the
// source is not a file that its Writer has left open, or that it is at work on.
func (r *Reader) Rows() (n int64, ok bool) {
	if s, is := r.src.(interface{ Rows() (int64, bool) }); is {
		return s.Rows()
	}
	return 0, false
}

func (s *seekSource) Rows() (n int64, ok bool) {
	if s.index == nil {
		return 0, false
	}
	return s.index.Rows()
}

func (s *frameSource) Rows() (n int64, ok bool) { return s.f.Rows() }
