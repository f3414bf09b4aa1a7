package stream

import (
	"cmp"
	"io"

	"github.com/seed03b80dae/blosc2"
)

// ReadFrom compresses r to its end. It reads straight into the chunks. n counts
// the bytes that r returned.
//
// An error of r is sticky: Close returns it, and leaves the frame unfinished, so
// that a copy that failed is not mistaken for a whole one. ClearError lets the
// Writer go on nevertheless. Copy calls ReadFrom; io.Copy does not if the source
// has a WriteTo method, and the Writer cannot see an error of the source then.
func (w *Writer) ReadFrom(r io.Reader) (n int64, err error) {
	returned := false
	defer w.guard(&returned)
	n, err = w.readFrom(r)
	returned = true
	return n, err
}

func (w *Writer) readFrom(r io.Reader) (n int64, err error) {
	if err := w.ready(); err != nil {
		return 0, err
	}
	if err := w.foresee(r); err != nil {
		return 0, err
	}
	for empty := 0; ; {
		if err := w.take(); err != nil {
			return n, err
		}
		t := &w.cur.Value
		k, err := r.Read(t.room(w.cfg.chunkSize)[w.fill:])
		n += int64(k)
		t.src = t.buf[:w.fill+k]
		if e := w.filled(k); e != nil {
			return n, e
		}
		if empty++; k > 0 {
			empty = 0
		}
		if empty == 100 && err == nil {
			err = io.ErrNoProgress
		}
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil:
			w.source = err
			return n, err
		}
	}
}

// sourceFailed is called by Reader.WriteTo, which io.Copy calls instead of
// ReadFrom, with an error that is the Reader's.
func (w *Writer) sourceFailed(err error) {
	if !w.closed {
		w.source = cmp.Or(w.source, err)
	}
}

// ClearError forgets an error of the source that ReadFrom met, and returns it,
// or nil if there was none. The Writer then goes on after the bytes that were
// read: with another ReadFrom, for example after a deadline, or with Close, which
// finishes the frame. Errors of the sink and the context, and what Close has
// returned, stay.
func (w *Writer) ClearError() error {
	if w.err != nil || w.closed {
		return nil
	}
	err := w.source
	w.source = nil
	return err
}

// WriteChunk lets fill write a whole chunk, ChunkSize bytes, in place. It is
// for callers that gather or make their data, and only for the beginning of a
// chunk. An error of fill is returned and ends nothing.
func (w *Writer) WriteChunk(fill func(chunk []byte) error) error {
	returned := false
	defer w.guard(&returned)
	err := w.writeChunk(fill)
	returned = true
	return err
}

func (w *Writer) writeChunk(fill func(chunk []byte) error) error {
	if err := w.ready(); err != nil {
		return err
	}
	if w.fill > 0 {
		return &blosc2.OptionError{Option: "bytes before WriteChunk", Value: w.fill, Range: "whole chunks"}
	}
	if err := w.take(); err != nil {
		return err
	}
	t := &w.cur.Value
	t.src = t.room(w.cfg.chunkSize)
	if err := fill(t.src); err != nil {
		return err
	}
	return w.filled(len(t.src))
}
