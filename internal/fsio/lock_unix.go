//go:build unix

package fsio

import (
	"errors"

	"golang.org/x/sys/unix"
)

// lockFile takes an exclusive lock without waiting.
func lockFile(f interface{ Fd() uintptr }) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err != unix.EINTR {
			return err
		}
	}
}

// isHeld reports whether an error of lockFile means that another holds the lock.
func isHeld(err error) bool { return errors.Is(err, unix.EWOULDBLOCK) }
