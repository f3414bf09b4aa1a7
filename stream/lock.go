package stream

import (
	"time"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// LockWait sets how long AppendFile waits for another writer of the file to
// release its lock; frame.DefaultLockWait unless given. 0 does not wait, a
// negative d waits without limit. Context ends the waiting too. Other functions
// lock nothing and ignore it.
func LockWait(d time.Duration) WriterOption {
	return writerOption(func(c *writerConfig) { c.lockWait = d })
}

// locking returns how to wait for a lock.
func (c *writerConfig) locking() fsio.Locking {
	return fsio.Locking{Wait: c.lockWait, Context: c.ctx}
}

// LockingOf returns how long LockWait and Context among the options say to wait for
// a lock. It is for package b2nd.
func LockingOf(opts ...WriterOption) fsio.Locking {
	cfg := defaultWriter()
	for _, o := range opts {
		o.toWriter(&cfg)
	}
	return cfg.locking()
}
