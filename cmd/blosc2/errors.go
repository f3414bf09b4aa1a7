package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitMisuse = 2
	exitPartly = 3 // repair saved a part
)

// A fileError is what was wrong with one file.
type fileError struct {
	name string
	err  error
	good int64 // bytes of the output before that, if told
	told bool
}

func (e *fileError) Error() string {
	text := e.name + ": " + plain(e.err)
	if e.told {
		text += fmt.Sprintf(" (%s bytes before it were good)", commas(e.good))
	}
	return text
}

func (e *fileError) Unwrap() error { return e.err }

// about says which file an error is about, unless it says so already.
func about(name string, err error) error {
	var fe *fileError
	if err == nil || errors.As(err, &fe) || isMisuse(err) {
		return err
	}
	return &fileError{name: publicName(name), err: err}
}

// A misuseError is a command line that cannot be obeyed.
type misuseError struct{ msg string }

func (e *misuseError) Error() string { return e.msg }

func misusef(format string, args ...any) error {
	return &misuseError{fmt.Sprintf(format, args...)}
}

// isMisuse reports whether err is a fault of the command line.
func isMisuse(err error) bool {
	var me *misuseError
	return errors.As(err, &me) || errors.Is(err, blosc2.ErrOption)
}

// errReported stands for failures that have been told already.
var errReported = errors.New("failed")

// errPartly is returned after what could not be saved was reported.
var errPartly = errors.New("saved in part")

// plain returns an error's text without what stands around it anyway: the
// library's name, and the operation and path of the system's errors.
func plain(err error) string {
	var pe *fs.PathError
	var le *os.LinkError
	var se *os.SyscallError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	case errors.As(err, &se):
		err = se.Err
	}
	return strings.TrimPrefix(err.Error(), "blosc2: ")
}

// each does something to every file, reports the failures and goes on.
func (e *env) each(names []string, do func(name string) error) error {
	failed := false
	for _, name := range names {
		if err := do(name); err != nil {
			e.awaitEnd()
			e.report(about(name, err))
			failed = true
		}
	}
	if failed {
		return errReported
	}
	return nil
}
