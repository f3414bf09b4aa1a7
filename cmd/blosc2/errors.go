package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/seed03b80dae/blosc2"
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
	name string
	err  error
	note string // what is known of the data before the error, or ""
}

func (e *fileError) Error() string {
	text := e.name + ": " + plain(e.err)
	if e.note != "" {
		text += " (" + e.note + ")"
	}
	return text
}

// intact returns the note of an error before which n bytes are valid.
func intact(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("the first %s bytes are intact", commas(n))
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
	return &fileError{name: publicName(name), err: repairable(name, err)}
}

// isAbout reports whether err is a system error about the file of that name.
func isAbout(err error, name string) bool {
	var pe *fs.PathError
	return errors.As(err, &pe) && pe.Path == name
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
// library's name, the operation and path of a system error, and an error that only
// classifies it.
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
	text := strings.TrimPrefix(err.Error(), "blosc2: ")
	if err == io.ErrUnexpectedEOF {
		return "ends too early"
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		text = strings.Replace(text, ": "+io.ErrUnexpectedEOF.Error(), "", 1)
	}
	if errors.Is(err, blosc2.ErrChecksum) && strings.Contains(text, "not match") {
		text = strings.Replace(text, ": checksum mismatch", "", 1)
	}
	return text
}

// A reworded error has another text than the error that it wraps.
type reworded struct {
	text string
	err  error
}

func (e *reworded) Error() string { return e.text }
func (e *reworded) Unwrap() error { return e.err }

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
