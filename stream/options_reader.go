package stream

import "github.com/seed03b80dae/blosc2/frame"

type readerConfig struct {
	common
	limits      frame.Limits
	single      bool  // only the first frame is read
	trailing    bool  // what follows the last frame is not an error
	noSpool     bool  // ErrNotSequential instead of spooling
	spoolMemory int64 // bytes of a spool held in memory
	spoolTotal  int64 // bytes of a spool; 0: no limit

	// Of a Conn with one worker: memory is borrowed for each chunk, and lend
	// returns that of the stored one.
	lend func(n int) []byte
}

func defaultReader() readerConfig {
	return readerConfig{common: defaultCommon, spoolMemory: DefaultSpool}
}

// readerOptions applies options to the defaults.
func readerOptions(opts []ReaderOption) readerConfig {
	c := defaultReader()
	for _, o := range opts {
		o.toReader(&c)
	}
	return c
}

type readerOption func(*readerConfig)

func (o readerOption) toReader(c *readerConfig) { o(c) }
func (o readerOption) toConn(c *connConfig)     { o(&c.reader) }

// Limits bounds what the input may make the Reader allocate, and, if asked, how
// much it returns in all; a field of 0 means its default. What is larger is
// blosc2.ErrTooLarge.
func Limits(l frame.Limits) ReaderOption { return readerOption(func(c *readerConfig) { c.limits = l }) }

// SingleFrame ends the stream after its first frame, whatever follows that, which
// Trailing returns. Without it the frames that follow each other are one stream.
func SingleFrame() ReaderOption { return readerOption(func(c *readerConfig) { c.single = true }) }

// AllowTrailing makes bytes after the last frame the end of the stream instead of
// blosc2.ErrTrailing. Trailing returns them. A damaged beginning of another frame
// cannot be distinguished from them.
func AllowTrailing() ReaderOption { return readerOption(func(c *readerConfig) { c.trailing = true }) }

// SpoolLimit says how frames are spooled that cannot be read front to back
// from a source that cannot seek: memory bytes are held in memory, DefaultSpool
// unless given, and up to total bytes in all, the rest in a temporary file. A larger
// frame is blosc2.ErrTooLarge. A total of 0 is no limit; with one below 0 nothing is
// spooled, and such a frame is blosc2.ErrNotSequential.
func SpoolLimit(memory, total int64) ReaderOption {
	return readerOption(func(c *readerConfig) {
		c.spoolMemory, c.spoolTotal, c.noSpool = max(memory, 0), max(total, 0), total < 0
	})
}
