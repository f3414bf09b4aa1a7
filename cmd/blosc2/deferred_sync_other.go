//go:build !linux

package main

import (
	"errors"
	"io/fs"
	"os"
)

// device returns false, as the system cannot sync a whole file system.
func device(fs.FileInfo) (dev uint64, ok bool) { return 0, false }

func syncAll(*os.File) error { return errors.ErrUnsupported }
