package frame

import (
	"context"
	"time"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// LockWait sets the time to wait for a lock that another writer holds. It is
// DefaultLockWait if the option is not given. If d is 0, there is no wait; if d is
// negative, there is no limit. LockWait is for LockFile, EditFile, SealFile, RenewFile
// and CompactFile.
func LockWait(d time.Duration) Option { return func(c *config) { c.lockWait = d } }

// Context ends waiting for a lock when ctx is done. It is for the same functions as
// LockWait.
func Context(ctx context.Context) Option { return func(c *config) { c.ctx = ctx } }

// lockConfig returns the options about locks.
func lockConfig(opts []Option) fsio.Locking {
	c := config{lockWait: DefaultLockWait}
	for _, o := range opts {
		if o != nil {
			o(&c)
		}
	}
	return fsio.Locking{Wait: c.lockWait, Context: c.ctx}
}
