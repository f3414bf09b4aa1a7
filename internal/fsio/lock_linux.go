package fsio

import "golang.org/x/sys/unix"

// alone reports whether no other process, such as C-Blosc2, has the file open. Such a
// process would wait for the lock of a file that has been removed. The kernel grants a
// write lease only for files that no other process has open.
func alone(f interface{ Fd() uintptr }) bool {
	fd := f.Fd()
	if _, err := unix.FcntlInt(fd, unix.F_SETSIG, int(unix.SIGURG)); err != nil { // a signal without effect, in case another process opens the file now
		return false
	}
	_, err := unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_WRLCK)
	return err == nil
}
