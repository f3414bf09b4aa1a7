package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// silentWait is how long a verb waits for a lock before it reports the wait.
const silentWait = time.Second

// awaitLock calls do, which changes a file under its lock. The argument of do is the
// time to wait for the lock, which is not limited if it is negative. The first call
// waits only for a short time. If the lock is still held, awaitLock reports the wait
// and calls do again with the rest of the time.
func (e *env) awaitLock(name string, wait time.Duration, do func(wait time.Duration) error) error {
	first := wait
	if wait < 0 || wait > silentWait {
		first = silentWait
	}
	err := do(first)
	if first != wait && errors.Is(err, blosc2.ErrLocked) {
		e.note("waiting for the lock of %s, which another process holds", name)
		rest := wait
		if wait > 0 {
			rest -= first
		}
		err = do(rest)
	}
	if wait != 0 && errors.Is(err, blosc2.ErrLocked) { // report the total wait, and omit the path
		return fmt.Errorf("%w (waited %v)", blosc2.ErrLocked, wait)
	}
	return err
}

// lock takes the lock of a file. The caller must call unlock to release it.
func (e *env) lock(name string) (unlock func() error, err error) {
	err = e.awaitLock(name, frame.DefaultLockWait, func(wait time.Duration) (err error) {
		unlock, err = frame.LockFile(name, frame.LockWait(wait))
		return err
	})
	return unlock, err
}

// lockNew is like lock, for a file that does not exist yet, so that only one process creates it.
func (e *env) lockNew(name string) (unlock func() error, err error) {
	err = e.awaitLock(name, frame.DefaultLockWait, func(wait time.Duration) (err error) {
		unlock, err = fsio.LockNew(name, fsio.Locking{Wait: wait})
		return err
	})
	return unlock, err
}
