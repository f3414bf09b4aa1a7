package main

import (
	"errors"
	"os"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/undo"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A change is a file that is open to be changed, and locked. The change is undone if it fails
// or is interrupted.
type change struct {
	*undo.File
	name   string
	file   *os.File
	unlock func() error
}

// openChange locks a file and opens it to be changed. The caller must call either done or
// undo.
func (e *env) openChange(name string) (*change, error) {
	unlock, err := e.lock(name)
	if err != nil {
		return nil, err
	}
	c := &change{name: name, unlock: unlock}
	if c.file, err = os.OpenFile(name, os.O_RDWR, 0); err != nil {
		return nil, errors.Join(err, unlock())
	}
	if c.File, err = undo.New(c.file); err != nil {
		return nil, errors.Join(err, c.close())
	}
	e.watchSignals()
	e.open.add(c)
	return c, nil
}

// unborn reports whether the file holds no more than a part of a header, so that a new frame
// may replace it. If so, it empties the file.
func (c *change) unborn() (bool, error) {
	yes, err := framing.Unborn(c, c.Size())
	if yes && err == nil {
		err = c.Truncate(0)
	}
	return yes, err
}

// endChange ends w, which writes to c, and the change. If err is not nil, which w or the input
// called in returned, or if w cannot be closed, it undoes the change and returns the error.
func (e *env) endChange(c *change, w interface {
	Abort(error) error
	Close() error
}, in string, err error) error {
	if err == nil {
		err = w.Close()
	} else {
		w.Abort(err)
	}
	if err != nil {
		return e.undo(c, in, err)
	}
	e.open.remove(c)
	return withName(c.name, c.close())
}

// undo makes the file what it was, and ends the change. It returns err with the name of the
// file, if it is about that, or of the input.
func (e *env) undo(c *change, in string, err error) error {
	e.awaitEnd()
	e.open.remove(c)
	name := in
	if isAbout(err, c.name) { // writing failed, not reading
		name = c.name
	}
	if failed := c.Undo(); failed != nil {
		err = adding(err, c.name+" could not be restored: "+failed.Error())
	}
	return withName(name, errors.Join(err, c.close()))
}

func (c *change) close() error { return errors.Join(c.file.Close(), c.unlock()) }

// discard implements discarder. The file stays locked until the program ends.
func (c *change) discard() (kept bool) { return c.Undo() != nil }

// called implements discarder.
func (c *change) called() string { return c.name }
