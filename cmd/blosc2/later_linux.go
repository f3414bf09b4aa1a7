package main

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// device returns the number of the file system that a file is in.
func device(info fs.FileInfo) (dev uint64, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return uint64(s.Dev), true
}

// syncAll brings everything in the file system of f to the disk.
func syncAll(f *os.File) error { return unix.Syncfs(int(f.Fd())) }
