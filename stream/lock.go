package stream

import (
	"time"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// LockWait sets how long AppendFile waits for another writer of the file to
// release its lock; frame.DefaultLockWait unless given. With 0 it does not
// wait; with a negative d it waits without limit. Context ends the waiting too.
// Functions that do not lock ignore this option.
func LockWait(d time.Duration) WriterOption {
	return writerOption(func(c *writerConfig) { c.lockWait = d })
}

// locking returns the options for waiting for a lock.
func (c *writerConfig) locking() fsio.Locking {
	return fsio.Locking{Wait: c.lockWait, Context: c.ctx}
}

// SetLocking sets l according to the option. Package b2nd calls it through
// fsio.LockingOf.
func (o writerOption) SetLocking(l *fsio.Locking) {
	c := writerConfig{common: common{ctx: l.Context}, lockWait: l.Wait}
	o(&c)
	*l = c.locking()
}

func (o option) SetLocking(l *fsio.Locking) {
	c := common{ctx: l.Context}
	o(&c)
	l.Context = c.ctx
}
