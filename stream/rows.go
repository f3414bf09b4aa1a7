package stream

import (
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/tune"
)

// These hooks are for package b2nd only: see internal/framing.
func init() {
	framing.ParamsOf = paramsOf
	framing.Rows = func(w any) framing.RowWriter { return rowWriter{w.(*Writer)} }
	// Without this option, Append to an array results in blosc2.ErrUnsupported, because
	// appended bytes are not rows.
	framing.GrowRowsOption = WriterOption(writerOption(func(c *writerConfig) { c.rows = true }))
	framing.BlockShapeOption = func(shape []int32) WriterOption {
		return writerOption(func(c *writerConfig) { c.chunk.BlockShape = shape })
	}
}

// These functions of package frame are only for this package.
var (
	newLog    = framing.NewLog.(func(*frame.Builder, framing.LogFile, int64) framing.Log)
	appendLog = framing.AppendLog.(func(frame.File, int64, bool, ...frame.Option) (framing.Log, *frame.Builder, *frame.Reader, error))
)

// A rowWriter is a framing.RowWriter.
type rowWriter struct{ w *Writer }

func (r rowWriter) UpdateMetalayer(name string, value []byte) (ok bool, err error) {
	return r.w.updateMetalayer(name, value)
}

func (r rowWriter) Choosing() bool { return r.w.cfg.aim != 0 && !r.w.begun() }

func (r rowWriter) Columns(rows []byte, items int, columns func() []byte) (bool, error) {
	w := r.w
	return tune.Search{Aim: w.cfg.aim, Params: w.cfg.chunk, Keep: w.cfg.keep, Each: w.coder.each}.Columns(rows, items, columns)
}

func (r rowWriter) Divide(chunk, block int, shape []int32) {
	c := &r.w.cfg
	c.chunkSize, c.chunk.BlockSize, c.chunk.BlockShape = chunk, block, shape
}

func (r rowWriter) Flush(n int64, rows func(from int64) []byte, last bool) (ok bool, err error) {
	r.w.guarded(func() { ok, err = r.w.flushRows(n, rows, last) })
	return ok, err
}

func (r rowWriter) Count() (rows, pending, size int64) {
	if r.w.log == nil {
		return 0, 0, 0
	}
	rows, pending = r.w.log.NumRows()
	return rows, pending, r.w.log.End()
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

// Rows returns how many rows the frame's array has, as frame.Reader.Rows does,
// after the header was read. ok is false unless the source is a file that its
// Writer is writing, or has left open.
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
