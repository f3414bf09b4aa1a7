package stream

import (
	"cmp"
	"io"

	"github.com/seed03b80dae/blosc2"
)

// ReadFrom compresses r to its end. It reads directly into the chunks. n is the
// number of bytes read.
//
// An error of r is sticky: Close returns it, and leaves the frame unfinished,
// so that a failed copy is not mistaken for a complete one. After ClearError
// the Writer can continue. Copy calls ReadFrom; io.Copy does not if the source
// has a WriteTo method, and then the Writer does not see an error of the
// source.
func (w *Writer) ReadFrom(r io.Reader) (n int64, err error) {
	w.guarded(func() { n, err = w.readFrom(r) })
	return n, err
}

func (w *Writer) readFrom(r io.Reader) (n int64, err error) {
	if err := w.ready(); err != nil {
		return 0, err
	}
	if err := w.sampleSource(r, w.cfg.chunkSize); err != nil {
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
// ReadFrom, with an error of the Reader.
func (w *Writer) sourceFailed(err error) {
	if !w.closed {
		w.source = cmp.Or(w.source, err)
	}
}

// ClearError clears an error of the source in ReadFrom, and returns it, or nil.
// The Writer then continues after the bytes that were read: with another
// ReadFrom, for example after a deadline, or with Close, which finishes the
// frame. Errors of the sink and the context, and those that Close has returned,
// are not cleared.
func (w *Writer) ClearError() error {
	if w.err != nil || w.closed {
		return nil
	}
	err := w.source
	w.source = nil
	return err
}

// WriteChunk calls fill to write a whole chunk, ChunkSize bytes, in place. It
// is for callers that gather or generate their data, and must be called at the
// beginning of a chunk. It returns an error of fill; the Writer can continue
// after it.
func (w *Writer) WriteChunk(fill func(chunk []byte) error) (err error) {
	w.guarded(func() { err = w.writeChunk(fill) })
	return err
}

func (w *Writer) writeChunk(fill func(chunk []byte) error) error {
	if err := w.ready(); err != nil {
		return err
	}
	if w.fill > 0 {
		return &blosc2.OptionError{Option: "bytes before WriteChunk", Value: w.fill, Range: "a multiple of the chunk size"}
	}
	if err := w.take(); err != nil {
		return err
	}
	w.auto.whole = true
	t := &w.cur.Value
	t.src = t.room(w.cfg.chunkSize)
	if err := fill(t.src); err != nil {
		return err
	}
	return w.filled(len(t.src))
}
