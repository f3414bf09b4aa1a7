package frame

import (
	"context"
	"errors"
	"time"
)

// A config holds the options.
type config struct {
	limits      Limits
	whole       bool
	partial     bool
	recover     bool
	drop        bool
	hurtMarks   bool // open chunks with a damaged mark are read
	noLoss      bool // a loss is an error, because it could not be reported otherwise
	dropDamaged bool // data after a loss may be overwritten
	rows        bool
	surplus     func(name string) error // what to do with a chunk file that is in no index
	sealed      bool                    // frames without an index are rejected
	renew       bool                    // digests of header and tail need not match
	cache       *BlockCache

	lockWait time.Duration   // 0: do not wait for a lock; negative: wait without limit
	ctx      context.Context // nil is context.Background

	recut recutting // of Compact, Concat and SealFile
	build building  // of NewBuilder

	single bool                  // of NewWalker
	jobs   int                   // of Verify
	report func(done, all int64) // see Progress; may be nil
	holes  bool                  // of Repair
	guess  bool                  // of Repair
}

// An Option changes how Open reads a frame. Options for other functions say so; a
// function ignores options that are not for it.
type Option func(*config)

// reported calls the function of Progress after an item of a source of all bytes, whose
// frame begins at base.
func (c *config) reported(it Item, base, all int64) {
	if c.report != nil && it.Offset >= 0 {
		c.report(base+it.Offset+int64(len(it.Chunk)), all)
	}
}

func newConfig(opts []Option) config {
	var c config
	for _, o := range opts {
		o(&c)
	}
	return c
}

// WithLimits bounds the memory that Open, Verify, Repair and a Walker allocate
// for their input.
func WithLimits(l Limits) Option { return func(c *config) { c.limits = l } }

// CheckWhole makes reads of single blocks fetch and check the whole chunk.
// Without it only reads of whole chunks are checked, because a digest covers a
// chunk.
func CheckWhole() Option { return func(c *config) { c.whole = true } }

// RecoverTail makes opening for changes keep and commit complete, verified
// chunks after a frame that were not committed. Without it they are cut off. It
// also makes Repair keep such chunks.
func RecoverTail() Option { return func(c *config) { c.recover = true } }

// AllowTorn lets Open read the complete chunks of a truncated unsealed frame: its
// writer is still writing, or has died. After the last complete chunk the error is
// io.ErrUnexpectedEOF. Without this option Open itself returns that error.
func AllowTorn() Option { return func(c *config) { c.partial = true } }

// DropTail makes opening for writing drop data that were flushed but not committed.
// Without it they are kept. It drops nothing from a frame that was never committed.
func DropTail() Option { return func(c *config) { c.drop = true } }

// DropDamaged makes opening for writing continue before damaged bytes that were
// flushed but not committed, even if data flushed after them are intact; these are
// lost. Without it the error is that of Reader.Lost, and the file is not changed.
func DropDamaged() Option { return func(c *config) { c.dropDamaged = true } }

// SealedOnly makes Open return ErrUnsealed for a frame without an index. Without it
// Open walks the whole frame. A Walker reads such a frame front to back.
func SealedOnly() Option { return func(c *config) { c.sealed = true } }

// ErrUnsealed is the error for a frame that is unsealed, or ends before its
// index.
var ErrUnsealed = errors.New("blosc2: the frame is not sealed")
