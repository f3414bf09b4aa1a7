//go:build !linux

package fsio

// alone always returns false, because it is unknown here whether another
// process has a file open.
func alone(f interface{ Fd() uintptr }) bool { return false }
