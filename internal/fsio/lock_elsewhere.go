//go:build !linux

package fsio

// alone cannot tell whether nobody else has a file open.
func alone(f interface{ Fd() uintptr }) bool { return false }
