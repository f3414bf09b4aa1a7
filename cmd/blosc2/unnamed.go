//go:build !linux

package main

import (
	"errors"
	"io/fs"
	"os"
)

// createUnnamed creates a file without a name, which only Linux supports.
func createUnnamed(dir string, mode fs.FileMode, name string) (f *os.File, ok bool) {
	return nil, false
}

func nameUnnamed(fd uintptr, name string) error { return errors.ErrUnsupported }
