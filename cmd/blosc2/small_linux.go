package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Small files are read and written by their descriptors: os.File would add up to a
// third to the cost of the system calls.

// readSmall reads all of a regular file of at most limit bytes into buf, which may
// grow. It opens any other file without reading it.
func readSmall(name string, limit int64, buf []byte) (f *os.File, info fs.FileInfo, held []byte, err error) {
	fd, err := retryInterrupted(func() (int, error) { return unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, nil, nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	s := &smallInfo{name: name}
	if err := syscall.Fstat(fd, &s.stat); err != nil || s.stat.Mode&unix.S_IFMT != unix.S_IFREG || s.stat.Size > limit {
		return os.NewFile(uintptr(fd), name), nil, nil, nil
	}
	held, ok, err := readWhole(func(b []byte) (int, error) {
		return retryInterrupted(func() (int, error) { return unix.Read(fd, b) })
	}, s.stat.Size, limit, buf)
	if err == nil && !ok {
		if _, err = unix.Seek(fd, 0, io.SeekStart); err == nil {
			return os.NewFile(uintptr(fd), name), nil, nil, nil
		}
	}
	unix.Close(fd)
	if err != nil {
		return nil, nil, nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return nil, s, held, nil
}

// retryInterrupted calls a function until no signal interrupts its system call.
func retryInterrupted(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// A smallInfo describes a regular file.
type smallInfo struct {
	name string
	stat syscall.Stat_t
}

func (s *smallInfo) Name() string       { return filepath.Base(s.name) }
func (s *smallInfo) Size() int64        { return s.stat.Size }
func (s *smallInfo) Mode() fs.FileMode  { return fs.FileMode(s.stat.Mode).Perm() }
func (s *smallInfo) ModTime() time.Time { return time.Unix(s.stat.Mtim.Unix()) }
func (s *smallInfo) IsDir() bool        { return false }
func (s *smallInfo) Sys() any           { return &s.stat }

// putUnnamed creates a file with the bytes b and the mode, the modification time and
// the owner of its source, under a name that must not exist. If done is false it
// created nothing, and the file must be made in the usual way. The file is synced before
// its source is removed.
func (e *env) putUnnamed(name string, b []byte, like fs.FileInfo) (done bool, err error) {
	was, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return false, nil
	}
	perm := was.Mode & 0o777
	dir := filepath.Dir(name)
	fd, err := retryInterrupted(func() (int, error) {
		return unix.Open(dir, unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, perm)
	})
	if err != nil {
		return false, nil
	}
	defer unix.Close(fd)
	var is syscall.Stat_t
	if err := syscall.Fstat(fd, &is); err != nil || e.removes && !e.joinsSync(dir, uint64(is.Dev)) {
		return false, nil
	}
	for rest := b; len(rest) > 0; {
		n, err := retryInterrupted(func() (int, error) { return unix.Write(fd, rest) })
		if err != nil {
			return true, &fs.PathError{Op: "write", Path: name, Err: err}
		}
		rest = rest[n:]
	}
	if is.Uid != was.Uid || is.Gid != was.Gid {
		if unix.Fchown(fd, int(was.Uid), int(was.Gid)) != nil && unix.Fchown(fd, -1, int(was.Gid)) != nil {
			perm &^= 0o070
		}
	}
	if is.Mode&0o777 != perm {
		_ = unix.Fchmod(fd, perm)
	}
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, {Sec: was.Mtim.Sec, Nsec: was.Mtim.Nsec}}
	if unix.UtimesNanoAt(fd, "", times, unix.AT_EMPTY_PATH) != nil {
		return false, nil
	}
	if e.link(uintptr(fd), name) != nil {
		return false, nil
	}
	return true, nil
}
