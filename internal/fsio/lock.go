package fsio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seed03b80dae/blosc2"
)

// Locking sets how long to wait for a lock that another writer holds: a Wait of 0 does
// not wait, a negative one has no limit. The end of Context also ends waiting; nil
// means context.Background.
type Locking struct {
	Wait    time.Duration
	Context context.Context
}

// LockingOf applies the options with a method SetLocking to l, and returns it.
func LockingOf[O any](l Locking, opts []O) Locking {
	for _, o := range opts {
		if o, ok := any(o).(interface{ SetLocking(l *Locking) }); ok {
			o.SetLocking(&l)
		}
	}
	return l
}

// These are the pauses between attempts to take a lock, which double up to the
// longest one. The system cannot wait for a lock with a time limit.
const (
	shortestPause = time.Millisecond
	longestPause  = 50 * time.Millisecond
)

// Lock takes C-Blosc2's lock of the frame that a path names, on a sidecar file, and
// counts a change there (docs/format/frame.md §9). unlock releases it. If another
// writer holds the lock for too long, the error is an *fs.PathError of path that is
// blosc2.ErrLocked; if Context ended the waiting, the context's cause as well.
//
// unlock removes the sidecar if Lock created it, here or in a process that was killed,
// and no other program has used it.
//
// If path is a symbolic link, Lock takes the lock beside the link, as C-Blosc2 does, and
// then the one beside the file, so that it excludes writers that use either name.
func Lock(path string, o Locking) (unlock func() error, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err // a missing file must not leave a sidecar
	}
	unlockName, err := lockSide(path, sidecar(path, info.IsDir()), o)
	if err != nil || info.IsDir() {
		return unlockName, err
	}
	link, err := os.Lstat(path)
	if err == nil && link.Mode()&fs.ModeSymlink == 0 {
		return unlockName, nil
	}
	file, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, errors.Join(err, unlockName())
	}
	unlockFile, err := lockSide(path, sidecar(file, false), o)
	if err != nil {
		return nil, errors.Join(err, unlockName())
	}
	return func() error { return errors.Join(unlockFile(), unlockName()) }, nil
}

// LockNew is like Lock, for a file that does not exist yet, or may not.
func LockNew(path string, o Locking) (unlock func() error, err error) {
	return lockSide(path, sidecar(path, false), o)
}

// sidecar returns the name of the file to lock for a path.
func sidecar(path string, dir bool) string {
	if dir {
		return filepath.Join(path, ".b2lock")
	}
	return path + ".b2lock"
}

// lockSide is like Lock, for a sidecar with the given name.
func lockSide(path, name string, o Locking) (unlock func() error, err error) {
	ctx := o.Context
	if ctx == nil {
		ctx = context.Background()
	}
	failed := func(err error) error { return &fs.PathError{Op: "lock", Path: path, Err: err} }
	var deadline time.Time
	if o.Wait > 0 {
		deadline = time.Now().Add(o.Wait)
	}
	if err := context.Cause(ctx); err != nil {
		return nil, failed(err)
	}
	for pause := shortestPause; ; pause = min(2*pause, longestPause) {
		unlock, err := tryLock(name)
		if err != nil && !errors.Is(err, blosc2.ErrLocked) {
			return nil, failed(besideLock(err))
		}
		if err == nil {
			return unlock, nil
		}
		if o.Wait == 0 {
			return nil, failed(err)
		}
		if o.Wait > 0 {
			left := time.Until(deadline)
			if left <= 0 {
				return nil, failed(fmt.Errorf("%w (waited %v)", err, o.Wait))
			}
			pause = min(pause, left)
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
		if cause := context.Cause(ctx); cause != nil {
			return nil, failed(fmt.Errorf("%w: %w", err, cause))
		}
	}
}

// besideLock returns an error about the sidecar that cannot be mistaken for one about
// the file.
func besideLock(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("its lock %s: %w", pe.Path, pe.Err)
	}
	return err
}

// sideTries limits the attempts to open a sidecar that other writers remove.
const sideTries = 1000

// tryLock locks a sidecar if no other process holds the lock; otherwise the error is
// blosc2.ErrLocked.
func tryLock(name string) (unlock func() error, err error) {
	for range sideTries {
		side, isNew, err := openSide(name)
		if errors.Is(err, os.ErrNotExist) && !dangling(name) {
			continue // another writer removed the sidecar
		}
		if err != nil {
			return nil, err
		}
		if err := lockFile(side); err != nil {
			side.Close()
			if isHeld(err) {
				return nil, blosc2.ErrLocked
			}
			return nil, &fs.PathError{Op: "lock", Path: name, Err: err}
		}
		if !stillThere(side) { // the writer that held the lock has removed the sidecar
			side.Close()
			continue
		}
		ours, err := countChange(side, isNew)
		unlock := func() error {
			if (ours || isNew) && alone(side) {
				os.Remove(side.Name()) // if this fails, the sidecar remains
			}
			return side.Close() // closing the file releases the lock
		}
		if err != nil {
			return nil, errors.Join(err, unlock())
		}
		return unlock, nil
	}
	return nil, blosc2.ErrLocked
}

// openSide opens a sidecar, and creates it if necessary.
func openSide(name string) (side *os.File, isNew bool, err error) {
	side, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if !errors.Is(err, os.ErrExist) {
		return side, true, err
	}
	side, err = os.OpenFile(name, os.O_RDWR, 0)
	return side, false, err
}

// dangling reports whether a sidecar is a dangling symbolic link, or its folder is
// missing, so that retrying is useless.
func dangling(name string) bool {
	if info, err := os.Lstat(name); err == nil && info.Mode()&os.ModeSymlink != 0 {
		_, err := os.Stat(name)
		return errors.Is(err, os.ErrNotExist)
	}
	_, err := os.Stat(filepath.Dir(name))
	return err != nil
}

// stillThere reports whether the name of an open file still refers to it.
func stillThere(file *os.File) bool {
	open, err := file.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(file.Name())
	return err == nil && os.SameFile(open, now)
}
