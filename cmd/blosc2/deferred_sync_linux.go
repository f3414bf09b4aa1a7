package main

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// device returns the number of a file's file system.
func device(info fs.FileInfo) (dev uint64, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return uint64(s.Dev), true
}

// syncAll syncs the file system of f.
func syncAll(f *os.File) error { return unix.Syncfs(int(f.Fd())) }
