package frame

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/seed03b80dae/blosc2"
)

// DefaultLockWait is how long Lock, and every function that locks a file, waits
// for another writer unless LockWait says otherwise.
const DefaultLockWait = 10 * time.Second

// The pause between two attempts to take a lock, which doubles up to the
// longest one. The system has no lock that is waited for with a limit.
const (
	shortestPause = time.Millisecond
	longestPause  = 50 * time.Millisecond
)

// LockWait sets how long to wait for a lock that another writer holds;
// DefaultLockWait unless given. 0 does not wait, a negative d waits without
// limit. It is for Lock, OpenFile, SealFile, RenewFile and CompactFile.
func LockWait(d time.Duration) Option { return func(c *config) { c.lockWait = d } }

// Context ends waiting for a lock when ctx is done. It is for the same functions
// as LockWait.
func Context(ctx context.Context) Option { return func(c *config) { c.ctx = ctx } }

// lockConfig returns what opts say about locks.
func lockConfig(opts []Option) config {
	c := config{lockWait: DefaultLockWait}
	for _, o := range opts {
		o(&c)
	}
	if c.ctx == nil {
		c.ctx = context.Background()
	}
	return c
}

// await calls try until it returns another error than blosc2.ErrLocked, or the
// waiting ends.
func (c *config) await(path string, try func() error) error {
	failed := func(err error) error { return &fs.PathError{Op: "lock", Path: path, Err: err} }
	var deadline time.Time
	if c.lockWait > 0 {
		deadline = time.Now().Add(c.lockWait)
	}
	for pause := shortestPause; ; pause = min(2*pause, longestPause) {
		if err := context.Cause(c.ctx); err != nil {
			return failed(err)
		}
		err := try()
		if !errors.Is(err, blosc2.ErrLocked) {
			return err
		}
		if c.lockWait == 0 {
			return failed(err)
		}
		if c.lockWait > 0 {
			left := time.Until(deadline)
			if left <= 0 {
				return failed(fmt.Errorf("%w (waited %v)", err, c.lockWait))
			}
			pause = min(pause, left)
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-c.ctx.Done():
			timer.Stop()
			return failed(fmt.Errorf("%w: %w", err, context.Cause(c.ctx)))
		}
	}
}
