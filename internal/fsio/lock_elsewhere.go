//go:build !linux

package fsio

// alone always returns false, because on this system it is unknown whether another
// process has a file open.
func alone(f interface{ Fd() uintptr }) bool { return false }
