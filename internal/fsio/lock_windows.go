package fsio

import (
	"errors"

	"golang.org/x/sys/windows"
)

// lockFile takes an exclusive lock on byte 0 without waiting.
func lockFile(f interface{ Fd() uintptr }) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
}

// isHeld reports whether an error of lockFile means that another holds the lock.
func isHeld(err error) bool {
	return errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING)
}
