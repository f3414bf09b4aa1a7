package main

import (
	"io/fs"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// createUnnamed creates a file without a name in a folder. The file disappears when the
// program ends, in whatever way, unless it has been linked to a name. ok is false if
// the file system does not support that.
func createUnnamed(dir string, mode fs.FileMode, name string) (f *os.File, ok bool) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, uint32(mode))
	if err != nil {
		return nil, false
	}
	f = os.NewFile(uintptr(fd), name)
	if !proc() && unix.Access(opened(uintptr(fd)), unix.F_OK) != nil {
		f.Close()
		return nil, false
	}
	return f, true
}

// proc reports whether /proc shows the open files of the process.
var proc = sync.OnceValue(func() bool { return unix.Access("/proc/self/fd/2", unix.F_OK) == nil })

// nameUnnamed links an open file to a name, which must not exist. It uses the
// descriptor of the file or, because some systems allow that only to root, the name of
// the file in /proc.
func nameUnnamed(fd uintptr, name string) error {
	if !byProc.Load() {
		err := unix.Linkat(int(fd), "", unix.AT_FDCWD, name, unix.AT_EMPTY_PATH)
		if err == nil {
			return nil
		}
		byProc.Store(err != unix.EEXIST)
	}
	if err := unix.Linkat(unix.AT_FDCWD, opened(fd), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "linkat", Old: opened(fd), New: name, Err: err}
	}
	return nil
}

// byProc is set once a file could not be linked by its descriptor.
var byProc atomic.Bool

// opened returns the name in /proc of an open file of the process.
func opened(fd uintptr) string { return "/proc/self/fd/" + strconv.Itoa(int(fd)) }
