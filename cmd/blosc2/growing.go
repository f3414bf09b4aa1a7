package main

import (
	"errors"
	"io"
	"io/fs"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/frame"
)

// A windowReader reads windows as b2nd.Array.ReadWindow does.
type windowReader func(dst []byte, w b2nd.Window) error

// patience is how long to retry reading data that a writer keeps changing.
const patience = 5 * time.Second

// errTooFast is returned if the data still change after that time.
var errTooFast = errors.New("changes faster than it can be read; try again, or wait until its writer has ended")

// errTakenBack is returned if the data are no longer in the file.
var errTakenBack = errors.New("has lost data since it was opened, because an append was undone; try again")

// errUnsound is returned to settled if something was found to be damaged.
var errUnsound = errors.New("is not sound")

// clockTick is the coarsest resolution of the time of the last change that file systems of
// Linux record: a tick of the kernel's clock.
const clockTick = 10 * time.Millisecond

// stall is how long a writer on a busy machine may pause in the middle of an append.
const stall = 250 * time.Millisecond

// settled calls read, which reads a file, until it succeeds, or fails because of data that no
// writer changed meanwhile or shortly before. If the file changes for too long, but every attempt
// fails in the same way, it is the data that are at fault.
func settled(f fs.File, read func() error) error {
	var first error
	same := true
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		began := time.Now()
		before, errBefore := f.Stat()
		err := read()
		if !unsettled(err) {
			return err
		}
		after, errAfter := f.Stat()
		if errBefore != nil || errAfter != nil {
			return err
		}
		if first == nil {
			first = err
		}
		same = same && err.Error() == first.Error()
		changed := before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime())
		age, quiet := began.Sub(before.ModTime()), time.Since(before.ModTime())
		recent := age >= 0 && (age < clockTick || quiet < stall) // a change may have left the time as it was, or an append may not be complete
		late := time.Since(start) > patience
		switch {
		case !changed && (!recent || late && same && err != errUnsound):
			return err
		case late:
			return errTooFast
		}
	}
}

// unsettled reports whether err may be due to a writer that changes the data. A file that ends
// too early is not read again: its writer may need long to complete it.
func unsettled(err error) bool {
	for _, e := range []error{blosc2.ErrChanged, blosc2.ErrCorrupt, blosc2.ErrChecksum, errUnsound} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

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
			if now.Size() < t.frame.Size() {
				return errTakenBack
			}
			if again, err := open(now); err == nil {
				f, read = now, again
			}
		}
		if f != t.frame && errors.Is(err, blosc2.ErrOption) { // the window is no longer within the array
			err = errTakenBack
		}
		return err
	}, nil
}

// grows reports whether a writer may change the frame, whose file can be read again.
func (t *target) grows() bool { return t.file != nil && !t.sparse }

// changed reports whether a writer has changed the frame since it was opened.
func (t *target) changed() bool {
	if !t.grows() {
		return false
	}
	now, err := refreshed(t.frame, t.file, t.offset)
	return err != nil || now != t.frame
}

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
		done := int64(0)
		if !t.frame.Open() {
			n, err := a.WriteTo(w)
			if !overtaken(err) {
				return err
			}
			done = n
		}
		v := &view{target: t, whole: 1}
		if err := v.openArray(); err != nil {
			return err
		}
		s := v.all()
		s.Window = b2nd.All(a.Shape())
		row := item.Count(a.Shape()[1:]) * int64(a.ItemSize())
		s.Window[0].Start = done / row
		skip := done % row
		return v.pieces(s, func(b []byte) error {
			_, err := w.Write(b[skip:])
			skip = 0
			return err
		})
	}
}

// bytesFrom writes the bytes from offset off on that the frame held when it was opened.
func (t *target) bytesFrom(w io.Writer, off int64) error {
	v := &view{target: t, whole: 1}
	if err := v.openItems("|u1"); err != nil {
		return err
	}
	s := v.all()
	s.Window[0].Start = off
	return v.pieces(s, func(b []byte) error { _, err := w.Write(b); return err })
}
