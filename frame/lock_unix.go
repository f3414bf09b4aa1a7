//go:build unix

package frame

import "golang.org/x/sys/unix"

// lockFile takes an exclusive lock without waiting.
func lockFile(f interface{ Fd() uintptr }) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
