package npy

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// ErrSize means that the number of bytes written does not match the shape.
var ErrSize = errors.New("npy: the items do not fill the shape")

// A Writer writes a file. The items are written to it as bytes, in the order that
// the header states. It is for one goroutine at a time.
type Writer struct {
	header  Header
	dst     io.Writer // receives the items
	patch   io.WriterAt
	at      int64       // offset of the header in patch
	spool   *fsio.Spool // holds the items if the header cannot be patched
	final   io.Writer
	row     int64 // bytes of one step along the slowest dimension
	size    int64 // bytes of all items; -1 if unknown
	written int64
	err     error
}

// NewWriter begins a file in w by writing the header. If a dimension is Unknown
// and w can seek and write at an offset, Close rewrites the header. Otherwise
// nothing is written before Close: the items are kept in a temporary file.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	if err := framing.Need(w != nil, "sink", "an io.Writer"); err != nil {
		return nil, err
	}
	h.Shape = slices.Clone(h.Shape)
	head, err := h.Append(nil)
	if err != nil {
		return nil, err
	}
	nw := &Writer{header: h, dst: w}
	one := h
	slowest := h.slowest()
	growing := slowest >= 0 && h.Shape[slowest] == Unknown
	if growing {
		one.Shape = slices.Clone(h.Shape)
		one.Shape[slowest] = 1
	}
	if nw.size, err = one.Size(); err != nil {
		return nil, err
	}
	if growing {
		nw.row, nw.size = nw.size, -1
		if nw.patch, nw.at = patchable(w); nw.patch == nil {
			nw.spool, nw.final = new(fsio.Spool), w
			nw.dst = nw.spool
			return nw, nil
		}
	}
	return nw, writeFull(w, head)
}

func writeFull(w io.Writer, p []byte) error {
	n, err := w.Write(p)
	if err == nil && n != len(p) {
		err = io.ErrShortWrite
	}
	return err
}

// Write writes bytes of items. If there are more than the shape holds, it
// writes none of them and returns ErrSize.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	if w.size >= 0 && int64(len(p)) > w.size-w.written {
		return 0, fmt.Errorf("%w: %d bytes and %d more; must be %d in all", ErrSize, w.written, len(p), w.size)
	}
	n, err := w.dst.Write(p)
	if err == nil && n != len(p) {
		err = io.ErrShortWrite
	}
	w.written += int64(n)
	w.err = err
	return n, err
}

// Header returns the header. After Close it has the final shape.
func (w *Writer) Header() Header { return w.header }

// Close completes the file. It returns ErrSize if fewer bytes were written than
// the shape holds, or a partial step along an unknown dimension. It does not
// close the underlying writer. A second Close does nothing and returns the same
// error.
func (w *Writer) Close() error {
	if errors.Is(w.err, blosc2.ErrClosed) {
		return nil
	}
	err := w.err
	if err == nil {
		err = w.finish()
	}
	if w.spool != nil {
		if e := w.spool.Close(); err == nil {
			err = e
		}
		w.spool = nil
	}
	if w.err = err; err == nil {
		w.err = blosc2.ErrClosed
	}
	return err
}

func (w *Writer) finish() error {
	if w.size >= 0 {
		if w.written != w.size {
			return fmt.Errorf("%w: %d bytes; must be %d", ErrSize, w.written, w.size)
		}
		return nil
	}
	rows := int64(0)
	if w.written > 0 {
		if w.row == 0 || w.written%w.row != 0 {
			return fmt.Errorf("%w: %d bytes; must be a multiple of %d", ErrSize, w.written, w.row)
		}
		rows = w.written / w.row
	}
	w.header.Shape[w.header.slowest()] = rows
	head, err := w.header.Append(nil)
	if err != nil {
		return err
	}
	if w.patch != nil {
		_, err = w.patch.WriteAt(head, w.at)
		return err
	}
	if err := writeFull(w.final, head); err != nil {
		return err
	}
	_, err = w.spool.WriteTo(w.final)
	return err
}
