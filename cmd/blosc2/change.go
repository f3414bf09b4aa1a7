package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/undo"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// A change is a file that is open to be changed, and locked. If the change fails or is
// interrupted, it is undone, unless the data cannot be read again.
type change struct {
	*undo.File
	name   string
	file   *os.File
	keep   bool // what was written before an error stays
	unlock func() error
}

// openChange locks a file and opens it to be changed. The caller must call endChange or giveUp.
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

// keepAll makes what was written before an error or an interrupt stay.
func (c *change) keepAll() {
	c.keep = true
	c.Forget()
}

// length returns the length of the file.
func (c *change) length() (int64, error) {
	info, err := c.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// empty reports whether the file holds nothing: no byte, a part of a header, or a frame without
// data and metalayers of its own. If so, it truncates the file.
func (c *change) empty() (bool, error) {
	n, err := c.length()
	if err != nil {
		return false, err
	}
	yes, err := framing.Unborn(c, n)
	if err != nil {
		return false, err
	}
	if f, errOpen := frame.Open(c, n); errOpen == nil && f.Size() == 0 && !f.Open() && f.FrameLen() == n {
		own := slices.ContainsFunc(f.Metalayers(), func(l meta.Layer) bool { return l.Name != meta.StreamName })
		layers, errVL := f.VLMetalayers()
		yes = yes || !own && len(layers) == 0 && errVL == nil
	}
	if yes {
		err = c.Truncate(0)
	}
	return yes, err
}

// new returns a writer for a new frame in the empty file.
func (c *change) new() io.Writer { return io.NewOffsetWriter(c, 0) }

// An inputError is an error of the input, not of the file to which its data are appended.
type inputError struct{ error }

func (e inputError) Error() string { return plain(e.error) }
func (e inputError) Unwrap() error { return e.error }

// asInput returns a reader of the input, whose errors are inputErrors. It can be read at any
// offset if r can.
func asInput(r io.Reader) io.Reader {
	if f, ok := r.(file); ok {
		return inputFile{f}
	}
	return inputReader{r}
}

type inputReader struct{ io.Reader }

func (r inputReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	return n, inInput(err)
}

type inputFile struct{ file }

func (f inputFile) Read(b []byte) (int, error) {
	n, err := f.file.Read(b)
	return n, inInput(err)
}

func (f inputFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.file.ReadAt(b, off)
	return n, inInput(err)
}

func inInput(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return inputError{err}
}

// An adder adds data to the file of a change.
type adder struct {
	w interface {
		Close() error
		Abort(err error) error
	}
	keep func() error                     // closes w, with what was added before an error
	held func(name string) (int64, error) // number of units in the file
	had  int64                            // number of units before
	unit string
}

// endChange ends the change by a. If err, which a or the input called in returned, is not nil,
// or if a cannot be closed, it undoes the change, or says how much was added if that stays.
func (e *env) endChange(c *change, a *adder, in string, err error) error {
	switch {
	case err == nil:
		err = a.w.Close()
	case c.keep:
		a.keep()
	default:
		a.w.Abort(err)
	}
	switch {
	case err == nil:
		e.settle(c)
		return withName(c.name, errors.Join(c.inPlace(), c.close()))
	case c.keep:
		if n, errHeld := a.held(c.name); errHeld == nil {
			err = adding(err, count(max(n-a.had, 0), a.unit)+" of the input were appended")
		}
	}
	return e.giveUp(c, in, err)
}

// isInput reports whether the file is also the input.
func (c *change) isInput(in *input) bool {
	changed, err := c.Stat()
	if err != nil {
		return false
	}
	info, err := in.File.Stat()
	if in.held != nil { // it is closed
		info, err = os.Stat(in.name)
	}
	return err == nil && os.SameFile(changed, info)
}

// inPlace returns an error if the name of the file now belongs to another one.
func (c *change) inPlace() error {
	changed, err := c.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Stat(c.name); err != nil || !os.SameFile(changed, named) {
		return errors.New("was removed or replaced meanwhile; what was appended is not in it")
	}
	return nil
}

// giveUp undoes the change, unless what was written stays, and ends it. It returns err with
// the name of the input, in, if that is its cause, or of the file.
func (e *env) giveUp(c *change, in string, err error) error {
	e.settle(c)
	if failed := c.Undo(); failed != nil && !c.keep {
		err = adding(err, fmt.Sprintf("%s could not be restored: %s", c.name, plain(failed)))
	}
	c.close()
	if ie := (inputError{}); errors.As(err, &ie) {
		return withName(in, err)
	}
	return withName(c.name, advise(c.name, err))
}

// settle makes sure that a signal does not undo the change from now on, nor ends the program
// before the outcome is reported: whoever sees the status of a signal appends the same data
// again. If a signal already undoes the change, settle waits for the end of the program.
func (e *env) settle(c *change) {
	e.holdSignals()
	e.open.remove(c)
}

func (c *change) close() error { return errors.Join(c.file.Close(), c.unlock()) }

// drop implements dropper. Nothing changes the file after it.
func (c *change) drop() error {
	err := c.Undo()
	c.unlock()
	if err != nil && !c.keep {
		return fmt.Errorf("it could not be restored: %w", err)
	}
	return nil
}

// called implements dropper.
func (c *change) called() string { return c.name }

// A heldLock is the lock of a file that is being created. A signal releases it.
type heldLock struct{ unlock func() error }

// holdNew takes the lock of a file that does not exist yet, or may not.
func (e *env) holdNew(name string) (*heldLock, error) {
	unlock, err := e.lockNew(name)
	if err != nil {
		return nil, err
	}
	l := &heldLock{unlock}
	e.watchSignals()
	e.open.add(l)
	return l, nil
}

// release releases the lock, unless that was done.
func (l *heldLock) release(e *env) error {
	if !e.open.remove(l) {
		return nil
	}
	return l.unlock()
}

func (l *heldLock) drop() error    { return l.unlock() }
func (l *heldLock) called() string { return "" } // the file is reported
