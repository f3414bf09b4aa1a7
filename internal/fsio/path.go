package fsio

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// WithPath returns err as a *fs.PathError of the operation op on the file path,
// so that the message begins with them. It returns err unchanged if it is nil,
// a *blosc2.OptionError, which is about the caller and not the file, or already
// names the file.
func WithPath(op, path string, err error) error {
	var oe *blosc2.OptionError
	if err == nil || errors.As(err, &oe) || bearsPath(err, path) {
		return err
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// AddPath sets *err to WithPath(op, path, *err). It is for defer.
func AddPath(op, path string, err *error) { *err = WithPath(op, path, *err) }

// bearsPath reports whether err names path, or a related file with a name that
// begins with path, such as a lock.
func bearsPath(err error, path string) bool {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return strings.HasPrefix(pe.Path, path)
	case errors.As(err, &le):
		return strings.HasPrefix(le.Old, path) || strings.HasPrefix(le.New, path)
	}
	return false
}
