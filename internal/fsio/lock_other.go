//go:build !unix && !windows

package fsio

// lockFile does nothing on systems without locks.
func lockFile(f interface{ Fd() uintptr }) error { return nil }

// isHeld reports whether an error of lockFile means that another holds the lock.
func isHeld(err error) bool { return false }
