package main

import (
	"errors"
	"io"
	"io/fs"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
)

// A windowReader reads windows as b2nd.Array.ReadWindow does.
type windowReader func(dst []byte, w b2nd.Window) error

// patience is how long to retry reading data that a writer keeps changing.
const patience = 5 * time.Second

// errTooFast is returned if the data still change after that time.
var errTooFast = errors.New("changes faster than it can be read; try again, or wait until its writer has ended")

// overtaken reports whether err means that a writer changed the data while they were
// read.
func overtaken(err error) bool {
	var fe *blosc2.FormatError
	return errors.Is(err, blosc2.ErrChanged) && errors.As(err, &fe) && fe.Chunk >= 0
}

// refreshing returns a reader, made by open, of the items that the frame has now. If a
// writer changes data during a read, the reader refreshes the frame and reads them
// again.
func (t *target) refreshing(open func(f *frame.Reader) (windowReader, error)) (windowReader, error) {
	read, err := open(t.frame)
	if err != nil || !t.grows() {
		return read, err
	}
	f := t.frame
	return func(dst []byte, w b2nd.Window) error {
		err := read(dst, w)
		for start := time.Now(); overtaken(err); err = read(dst, w) {
			if time.Since(start) > patience {
				return errTooFast
			}
			time.Sleep(time.Millisecond)
			now, err := refreshed(f, t.file, t.offset)
			if err != nil {
				continue // the header may be incomplete
			}
			if again, err := open(now); err == nil {
				f, read = now, again
			}
		}
		return err
	}, nil
}

// grows reports whether a writer may be changing the frame, and its file can be read again.
func (t *target) grows() bool { return t.file != nil && !t.sparse && t.frame.Open() }

// refreshed returns the current state of a frame at an offset of a file.
func refreshed(f *frame.Reader, in fs.File, offset int64) (*frame.Reader, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	return f.Refresh(info.Size() - offset)
}

// itemsOf returns a function that writes all items that the array has now, in C order.
func (t *target) itemsOf(a *b2nd.Array) func(w io.Writer) error {
	if !t.grows() || len(a.Shape()) == 0 {
		return func(w io.Writer) error { _, err := a.WriteTo(w); return err }
	}
	return func(w io.Writer) error {
		v := &view{target: t, whole: 1}
		if err := v.openArray(); err != nil {
			return err
		}
		s := v.all()
		s.Window = b2nd.All(a.Shape())
		return v.pieces(s, func(b []byte) error { _, err := w.Write(b); return err })
	}
}
