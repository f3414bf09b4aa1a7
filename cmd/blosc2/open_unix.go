//go:build unix

package main

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openFile opens a file for reading. os.Open would try to add it to the network poller,
// which takes four more system calls.
func openFile(name string) (*os.File, error) {
	for {
		fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), name), nil
		case unix.EINTR:
			continue
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
}
