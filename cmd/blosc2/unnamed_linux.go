package main

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// createUnnamed creates a file without a name in a folder. Unless it is linked to a
// name it disappears, however the program ends. ok is false if the file system does
// not support that.
func createUnnamed(dir string, mode fs.FileMode, name string) (f *os.File, ok bool) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, uint32(mode))
	if err != nil {
		return nil, false
	}
	f = os.NewFile(uintptr(fd), name)
	if !proc() && unix.Access(opened(f), unix.F_OK) != nil {
		f.Close()
		return nil, false
	}
	return f, true
}

// proc reports whether /proc shows the open files of the process.
var proc = sync.OnceValue(func() bool { return unix.Access("/proc/self/fd/2", unix.F_OK) == nil })

// nameUnnamed links the file to a name that must not exist yet: by its descriptor,
// which some systems allow root alone, else by its name in /proc.
func nameUnnamed(f *os.File, name string) error {
	if !byProc.Load() {
		err := unix.Linkat(int(f.Fd()), "", unix.AT_FDCWD, name, unix.AT_EMPTY_PATH)
		if err == nil {
			return nil
		}
		byProc.Store(err != unix.EEXIST)
	}
	if err := unix.Linkat(unix.AT_FDCWD, opened(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "linkat", Old: f.Name(), New: name, Err: err}
	}
	return nil
}

// byProc is set once a file could not be linked by its descriptor.
var byProc atomic.Bool

// opened returns the name in /proc of an open file of the process.
func opened(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
