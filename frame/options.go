package frame

import (
	"context"
	"errors"
	"time"
)

// A config holds the values of all options.
type config struct {
	limits       Limits
	whole        bool
	partial      bool
	recover      bool
	drop         bool
	damagedMarks bool // read open chunks with a damaged mark
	noLoss       bool // return a loss as an error, for callers that cannot report it in another way
	dropDamaged  bool // allow overwriting data after a loss
	rows         bool
	surplus      func(name string) error // is called for a chunk file that is in no index
	sealed       bool                    // reject frames without an index
	renew        bool                    // ignore digests of header and tail that do not match
	cache        *BlockCache

	lockWait time.Duration   // 0: do not wait for a lock; negative: wait without limit
	ctx      context.Context // ends waiting for a lock; nil is context.Background

	recut recutting // options of Compact, Concat and SealFile
	build building  // options of NewBuilder

	single bool                  // option of NewWalker
	jobs   int                   // option of Verify
	report func(done, all int64) // the function of Progress; may be nil
	holes  bool                  // option of Repair: LeaveHoles
	guess  bool                  // option of Repair: GuessOrder
}

// An Option changes how Open reads a frame, or is for other functions, as its description
// says. A function ignores options that are not for it, and nil ones.
type Option func(*config)

// reported calls the function of Progress after an item was processed. The source has all
// bytes, and the item's frame begins at base.
func (c *config) reported(it Item, base, all int64) {
	if c.report != nil && it.Offset >= 0 {
		c.report(base+it.Offset+int64(len(it.Chunk)), all)
	}
}

func newConfig(opts []Option) config {
	var c config
	for _, o := range opts {
		if o != nil {
			o(&c)
		}
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

// RecoverTail makes opening for changes keep and commit chunks after a frame that were
// not committed, as far as they are complete and their digests match. Without it they are
// cut off. It also makes Repair keep such chunks.
func RecoverTail() Option { return func(c *config) { c.recover = true } }

// AllowTorn lets Open read the complete chunks of a truncated unsealed frame, whose
// writer is still writing or has died. After the last complete chunk the error is
// io.ErrUnexpectedEOF. Without this option Open returns that error.
func AllowTorn() Option { return func(c *config) { c.partial = true } }

// DropTail makes opening for writing drop data that were flushed but not committed.
// Without it they are kept. It drops nothing from a frame that was never committed.
func DropTail() Option { return func(c *config) { c.drop = true } }

// DropDamaged makes opening for writing continue before damaged bytes that were flushed
// but not committed, even if data that were flushed after them are intact. These data are
// lost. Without this option the error is that of Reader.Lost, and the file is not
// changed.
func DropDamaged() Option { return func(c *config) { c.dropDamaged = true } }

// SealedOnly makes Open return ErrUnsealed for a frame without an index. Without it Open
// walks the whole frame. To read such a frame front to back, use a Walker.
func SealedOnly() Option { return func(c *config) { c.sealed = true } }

// ErrUnsealed is returned by Open with SealedOnly for a frame that is unsealed, or ends
// before its index.
var ErrUnsealed = errors.New("blosc2: the frame is not sealed")
