package fsio

import "golang.org/x/sys/unix"

// alone reports whether no other process, such as C-Blosc2, has an open file
// open: it would wait for its lock and not see that the name is gone. The
// kernel grants a write lease only on such files.
func alone(f interface{ Fd() uintptr }) bool {
	fd := f.Fd()
	if _, err := unix.FcntlInt(fd, unix.F_SETSIG, int(unix.SIGURG)); err != nil { // which does nothing, should another process come now
		return false
	}
	_, err := unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_WRLCK)
	return err == nil
}
