//go:build !linux

package main

import (
	"errors"
	"io/fs"
	"os"
)

// device is for systems that can bring a file system to the disk at once.
func device(fs.FileInfo) (dev uint64, ok bool) { return 0, false }

func syncAll(*os.File) error { return errors.ErrUnsupported }
