package stream

import (
	"time"

	"github.com/seed03b80dae/blosc2/frame"
)

// LockWait sets how long AppendFile waits for another writer of the file to
// release its lock; frame.DefaultLockWait unless given. 0 does not wait, a
// negative d waits without limit. Context ends the waiting too. Other functions
// lock nothing and ignore it.
func LockWait(d time.Duration) WriterOption {
	return writerOption(func(c *writerConfig) { c.lockWait = d })
}

// lockFor takes the lock of a file as the options say.
func lockFor(path string, opts []WriterOption) (unlock func() error, err error) {
	cfg := defaultWriter()
	for _, o := range opts {
		o.toWriter(&cfg)
	}
	return frame.Lock(path, frame.Context(cfg.ctx), frame.LockWait(cfg.lockWait))
}

// LockFile takes the lock of a file as Context and LockWait among the options
// say, as AppendFile does.
func LockFile(path string, opts ...WriterOption) (unlock func() error, err error) {
	return lockFor(path, opts)
}
