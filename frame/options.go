package frame

import (
	"context"
	"errors"
	"time"
)

// config is what the options say.
type config struct {
	limits  Limits
	whole   bool
	partial bool
	recover bool
	drop    bool
	rows    bool
	surplus func(name string) error // what to do with a chunk file that no index names
	sealed  bool                    // frames without an index are refused
	renew   bool                    // digests of header and tail need not be right
	cache   *BlockCache

	lockWait time.Duration   // 0 does not wait for a lock, less than 0 waits without limit
	ctx      context.Context // nil is context.Background

	recut recutting // of Compact, Concat and SealFile
	build building  // of NewBuilder

	single bool                  // of NewWalker
	jobs   int                   // of Verify
	report func(done, all int64) // likewise; may be nil
	holes  bool                  // of Repair
	guess  bool                  // likewise
}

// An Option changes how Open reads a frame. Those that are for other functions
// say so; a function ignores options that are not for it.
type Option func(*config)

func newConfig(opts []Option) config {
	var c config
	for _, o := range opts {
		o(&c)
	}
	return c
}

// WithLimits bounds what the input may make Open, Verify, Repair and a Walker
// allocate.
func WithLimits(l Limits) Option { return func(c *config) { c.limits = l } }

// CheckWhole makes reads of single blocks fetch and check the whole chunk that
// they belong to. Without it only reads of whole chunks are checked, because a
// digest is that of a chunk.
func CheckWhole() Option { return func(c *config) { c.whole = true } }

// RecoverTail makes opening for changes keep the whole, checked chunks after a
// frame that were written but not committed, and commit them. Without it they
// are cut off. It makes Repair take such chunks too.
func RecoverTail() Option { return func(c *config) { c.recover = true } }

// AllowTorn lets Open read what is whole of an unsealed frame that breaks off:
// its writer is still at work, or has died. After the last whole chunk the
// error is io.ErrUnexpectedEOF. Without it Open itself returns that error.
func AllowTorn() Option { return func(c *config) { c.partial = true } }

// DropTail makes opening for writing drop what was flushed but not committed,
// which is kept otherwise. Of a frame that was never committed it drops nothing.
func DropTail() Option { return func(c *config) { c.drop = true } }

// SealedOnly makes Open refuse a frame without an index with ErrUnsealed, where
// it would walk the whole frame otherwise. A Walker reads such a frame front to
// back.
func SealedOnly() Option { return func(c *config) { c.sealed = true } }

// ErrUnsealed is the error for a frame that is unsealed, or ends before its
// index.
var ErrUnsealed = errors.New("blosc2: the frame is not sealed")
