package frame

// config is what the options of Open say.
type config struct {
	limits  Limits
	whole   bool
	partial bool
	recover bool
	surplus func(name string) error // what to do with a chunk file that no index names
	renew   bool                    // digests of header and tail need not be right
}

// An Option changes how Open reads a frame.
type Option func(*config)

// WithLimits bounds what the frame may make the reader allocate.
func WithLimits(l Limits) Option { return func(c *config) { c.limits = l } }

// CheckWhole makes reads of single blocks fetch and check the whole chunk that
// they belong to. Without it only reads of whole chunks are checked, because a
// digest is that of a chunk.
func CheckWhole() Option { return func(c *config) { c.whole = true } }

// RecoverTail makes opening for changes keep the whole, checked chunks behind a
// frame that were written but not committed, and commit them. Without it they
// are cut off.
func RecoverTail() Option { return func(c *config) { c.recover = true } }

// AllowTorn lets Open read what is whole of an unsealed frame that breaks off:
// its writer is still at work, or has died. Behind the last whole chunk the
// error is io.ErrUnexpectedEOF. Without it Open itself gives that error.
func AllowTorn() Option { return func(c *config) { c.partial = true } }
