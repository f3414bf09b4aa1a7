package npy

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
)

// A Writer takes the items of an array, in the order that its header says, and
// writes a .npy file. It is for one goroutine.
type Writer struct {
	header Header
	dst    io.Writer // the file, or the spool
	n      int64     // bytes of items so far
	size   int64     // bytes of items there will be; -1 not known
	finish func() error
	closed bool
}

// NewWriter writes an array to w, which is left open. The first dimension may
// be Unknown: where w is a file, the header is patched at Close; else the items
// are spooled to a temporary file until then.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Shape = slices.Clone(h.Shape)
	nw := &Writer{header: h, dst: w, finish: func() error { return nil }}
	if len(h.Shape) > 0 && h.Shape[0] == Unknown {
		return nw, nw.startUnknown(w)
	}
	var err error
	if nw.size, err = h.Size(); err != nil {
		return nil, &blosc2.OptionError{Option: "shape", Value: h.Shape, Range: "of dimensions from 0 and with fewer than 2^63 bytes"}
	}
	return nw, writeHeader(w, &h)
}

func writeHeader(w io.Writer, h *Header) error {
	b, err := h.Append(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// startUnknown begins an array that grows until Close.
func (w *Writer) startUnknown(file io.Writer) error {
	w.size = -1
	if w.header.Fortran && len(w.header.Shape) > 1 {
		return &blosc2.OptionError{Option: "shape", Value: w.header.Shape, Range: "known, in Fortran order"}
	}
	if _, err := w.rowBytes(); err != nil {
		return err
	}
	if patch, start, ok := patchable(file); ok {
		w.finish = func() error {
			b, err := w.header.Append(nil)
			if err == nil {
				_, err = patch.WriteAt(b, start)
			}
			return err
		}
		return writeHeader(file, &w.header)
	}
	spool, err := newSpool()
	if err != nil {
		return err
	}
	w.dst = spool
	w.finish = func() error {
		defer spool.Close()
		if err := writeHeader(file, &w.header); err != nil {
			return err
		}
		return spool.copyTo(file)
	}
	return nil
}

// patchable tells whether the beginning of what is written to w can be written
// again, and where in w that is.
func patchable(w io.Writer) (io.WriterAt, int64, bool) {
	file, ok := w.(interface {
		io.WriterAt
		io.Seeker
	})
	if !ok {
		return nil, 0, false
	}
	start, err := file.Seek(0, io.SeekCurrent) // a pipe refuses
	if err != nil {
		return nil, 0, false
	}
	_, err = file.WriteAt(nil, start) // a file opened for appending refuses
	return file, start, err == nil
}

// rowBytes gives the bytes of one step along the first dimension.
func (w *Writer) rowBytes() (int64, error) {
	row := Header{DType: w.header.DType, Shape: w.header.Shape[1:]}
	n, err := row.Size()
	if err != nil || n == 0 {
		return 0, &blosc2.OptionError{Option: "shape", Value: w.header.Shape, Range: "with an Unknown first dimension, the others from 1 and not too large"}
	}
	return n, nil
}

// Write takes items. More than the shape has is an error.
func (w *Writer) Write(p []byte) (int, error) {
	if w.closed {
		return 0, blosc2.ErrClosed
	}
	if w.size >= 0 && int64(len(p)) > w.size-w.n {
		return 0, fmt.Errorf("blosc2: .npy of shape %v: more than %d bytes", w.header.Shape, w.size)
	}
	n, err := w.dst.Write(p)
	w.n += int64(n)
	return n, err
}

// Close finishes the file. Fewer bytes than the shape has, or than make whole
// rows, are io.ErrUnexpectedEOF.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	if w.size >= 0 {
		if w.n < w.size {
			return fmt.Errorf("blosc2: .npy of shape %v: %d of %d bytes: %w", w.header.Shape, w.n, w.size, io.ErrUnexpectedEOF)
		}
		return nil
	}
	row, err := w.rowBytes()
	if err != nil {
		return err
	}
	w.header.Shape[0] = w.n / row
	err = w.finish()
	if w.n%row != 0 {
		err = errors.Join(err, fmt.Errorf("blosc2: .npy: %d bytes of the last row of %d: %w", w.n%row, row, io.ErrUnexpectedEOF))
	}
	return err
}
