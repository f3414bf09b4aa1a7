package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
)

// These are the exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitMisuse = 2
	exitPartly = 3 // repair saved a part of the file
)

// A fileError is an error about a file.
type fileError struct {
	name    string
	err     error
	good    int64 // valid bytes that were written before the error; known only if counted is set
	counted bool
}

func (e *fileError) Error() string {
	text := e.name + ": " + plain(e.err)
	if e.counted && e.good > 0 {
		text += fmt.Sprintf(" (%s bytes before it are intact)", commas(e.good))
	}
	return text
}

func (e *fileError) Unwrap() error { return e.err }

// withName adds the file name to an error, unless it already has one.
func withName(name string, err error) error {
	if err == nil {
		return nil
	}
	var fe *fileError
	var pe *fs.PathError
	switch {
	case errors.As(err, &fe):
		return err
	case ofStdout(err):
		return aboutStdout(err)
	case isMisuse(err) && strings.HasPrefix(plain(err), "URL "+publicName(name)+": "):
		return misusef("%s", strings.TrimPrefix(plain(err), "URL "))
	case isMisuse(err) && errors.As(err, &pe): // the error is about an object in a store
		return misusef("%s: %s", publicName(name), plain(err))
	case isMisuse(err):
		return err
	}
	return &fileError{name: publicName(name), err: err}
}

// stdoutName is the name of the standard output in messages.
const stdoutName = "standard output"

// ofStdout reports whether err is an error in writing to the standard output.
func ofStdout(err error) bool {
	var pe *fs.PathError
	return errors.As(err, &pe) && pe.Op == "write" && pe.Path == os.Stdout.Name()
}

// aboutStdout adds the name of the standard output to an error in writing to it that has
// no name.
func aboutStdout(err error) error {
	var fe *fileError
	if !ofStdout(err) || errors.As(err, &fe) {
		return err
	}
	return &fileError{name: stdoutName, err: err}
}

// A misuseError is an error in the command line, the environment or the settings.
type misuseError struct{ msg string }

func (e *misuseError) Error() string { return e.msg }

func misusef(format string, args ...any) error {
	return &misuseError{fmt.Sprintf(format, args...)}
}

// isMisuse reports whether err is about the command line, the environment or the
// settings.
func isMisuse(err error) bool {
	var me *misuseError
	return errors.As(err, &me) || errors.Is(err, blosc2.ErrOption)
}

// errReported is returned after failures have been reported.
var errReported = errors.New("failed")

// errPartly is returned after a partial repair has been reported.
var errPartly = errors.New("saved in part")

// plain returns an error's text without the parts that a message repeats: the
// library's name, and the operation and path of a system error.
func plain(err error) string {
	var pe *fs.PathError
	var le *os.LinkError
	var se *os.SyscallError
	switch {
	case overtaken(err):
		err = errTooFast
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	case errors.As(err, &se):
		err = se.Err
	}
	return strings.TrimPrefix(err.Error(), "blosc2: ")
}

// rebuildable adds advice to the error of a frame whose header, index or trailer is damaged,
// unless it has some.
func rebuildable(err error) error {
	var fe *blosc2.FormatError
	if !errors.As(err, &fe) || errors.Is(err, blosc2.ErrNotBlosc2) || strings.Contains(err.Error(), "repair ") ||
		!errors.Is(err, blosc2.ErrCorrupt) && !errors.Is(err, blosc2.ErrChecksum) {
		return err
	}
	switch fe.Part {
	case blosc2.PartHeader, blosc2.PartIndex, blosc2.PartTrailer:
		return adding(err, "repair saves the intact chunks")
	}
	return err
}

// adding adds advice to an error, within a path error, of which messages have only the
// cause.
func adding(err error, advice string) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return &fs.PathError{Op: pe.Op, Path: pe.Path, Err: adding(pe.Err, advice)}
	}
	return fmt.Errorf("%w; %s", err, advice)
}

// cutOff adds advice to the error of a frame that ends early, or whose header, index or
// trailer is damaged.
func cutOff(err error) error {
	var fe *blosc2.FormatError
	if errors.Is(err, io.ErrUnexpectedEOF) && errors.As(err, &fe) && fe.Part != blosc2.PartHeader {
		return adding(err, "the frame is truncated, or its writer is active or failed: repair saves the intact chunks")
	}
	return rebuildable(err)
}

var errNothingFlushed = errors.New("holds no items: its writer flushed none, or the file was truncated after its header; remove it")

// advise adds advice to the error of a verb that continues or ends a log: flushed
// data may be damaged or missing.
func advise(name string, err error) error {
	if !errors.Is(err, blosc2.ErrCorrupt) && !errors.Is(err, blosc2.ErrChecksum) && !errors.Is(err, blosc2.ErrOption) {
		return err
	}
	f, openErr := frame.OpenFile(name)
	if openErr != nil {
		return err
	}
	defer f.Close()
	switch lost := f.Lost(); {
	case lost != nil:
		return saves(lost)
	case f.Open() && f.Size() == 0 && errors.Is(err, blosc2.ErrOption):
		return errNothingFlushed
	}
	return err
}

// saves adds advice to the error of a log whose flushed data are damaged.
func saves(lost error) error { return fmt.Errorf("%w; repair saves what is intact", lost) }

// each calls do for every file. It reports failures and continues. If there were any, it
// returns errReported.
func (e *env) each(names []string, do func(name string) error) error {
	failed := false
	for _, name := range names {
		if err := do(name); err != nil {
			e.awaitEnd()
			e.report(withName(name, err))
			failed = true
		}
	}
	if failed {
		return errReported
	}
	return nil
}
