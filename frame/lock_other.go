//go:build !unix && !windows

package frame

// lockFile does nothing where there are no locks.
func lockFile(f interface{ Fd() uintptr }) error { return nil }
