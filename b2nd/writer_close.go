package b2nd

import (
	"cmp"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
)

// Close writes the remaining data and ends the frame; it does not close the sink. After
// an error of the source in ReadFrom it returns that error and leaves the frame
// unfinished. If a row or an array of known shape is incomplete it returns
// io.ErrUnexpectedEOF and leaves the frame unfinished. See CloseRows.
func (a *Writer) Close() error {
	if a.closed {
		return a.err
	}
	if a.err = a.ready(); a.err == nil {
		a.err = a.finish()
	}
	return a.end()
}

// CloseWithError is like Close if err is nil or io.EOF. Otherwise it leaves the
// frame unfinished with the complete slabs, as stream.Writer does, and returns err,
// or an earlier error of the Writer.
func (a *Writer) CloseWithError(err error) error {
	if !a.closed && err != nil && err != io.EOF {
		a.source = cmp.Or(a.source, err)
	}
	return a.Close()
}

// Abort is like Close, but does not end the frame: see stream.Writer.Abort. It does
// nothing after Close.
func (a *Writer) Abort(err error) error {
	if a.closed {
		return a.err
	}
	a.closed = true
	a.err = a.w.Abort(cmp.Or(a.err, a.source, err, blosc2.ErrClosed))
	return a.err
}

// CloseRows is like Close, for input that may have ended early: it ends the frame
// as an array of all complete rows if the sink can be patched or the first
// dimension is Unknown. The error is still that of the source in ReadFrom, or
// io.ErrUnexpectedEOF if the array is incomplete. An array without dimensions has
// no rows.
func (a *Writer) CloseRows() error {
	if a.closed || a.err != nil || len(a.grid.shape) == 0 {
		return a.Close()
	}
	missing := a.missing()
	short := cmp.Or(a.ClearError(), missing)
	if short == nil {
		return a.Close()
	}
	known := !a.growing
	if missing != nil {
		row := a.full / a.grid.chunk[0]
		a.slab = a.slab[:int64(len(a.slab))/row*row]
		a.growing = true
		a.grid.shape[0] = a.rows
	}
	if a.err = a.finish(); a.err == nil && missing != nil && known && !a.inHeader {
		// Readers use the vlmetalayer only if the shape was Unknown.
		a.err = fmt.Errorf("%w; the header with its shape is already written", short)
	}
	if err := a.end(); err != nil {
		return err
	}
	a.err = short
	return short
}

// end closes the stream, and leaves it unfinished after an error.
func (a *Writer) end() error {
	a.closed = true
	a.err = a.w.CloseWithError(a.err)
	return a.err
}
