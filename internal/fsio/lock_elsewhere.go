//go:build !linux

package fsio

// alone always returns false: whether another process has a file open is not
// known here.
func alone(f interface{ Fd() uintptr }) bool { return false }
