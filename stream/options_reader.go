package stream

import "github.com/seed03b80dae/blosc2/frame"

type readerConfig struct {
	common
	limits      frame.Limits
	single      bool  // read only the first frame
	trailing    bool  // bytes after the last frame are not an error
	noSpool     bool  // return ErrNotSequential instead of spooling
	spoolMemory int64 // most bytes of a spool to hold in memory
	spoolTotal  int64 // most bytes of a spool; 0 means no limit

	// These are for a Conn with one worker: memory is borrowed for each chunk, and
	// lend returns memory for the stored one.
	lend func(n int) []byte
}

func defaultReader() readerConfig {
	return readerConfig{common: defaultCommon, spoolMemory: DefaultSpool}
}

// readerOptions applies options to the defaults.
func readerOptions(opts []ReaderOption) readerConfig {
	c := defaultReader()
	for _, o := range opts {
		if o != nil {
			o.toReader(&c)
		}
	}
	return c
}

type readerOption func(*readerConfig)

func (o readerOption) toReader(c *readerConfig) { o(c) }
func (o readerOption) toConn(c *connConfig)     { o(&c.reader) }

// Limits bounds the memory that the Reader allocates for its input, and
// optionally the total that it returns; a field of 0 means its default. Input
// beyond a limit results in blosc2.ErrTooLarge.
func Limits(l frame.Limits) ReaderOption { return readerOption(func(c *readerConfig) { c.limits = l }) }

// SingleFrame ends the stream after its first frame. Trailing returns the bytes
// after it. Without this option consecutive frames are one stream.
func SingleFrame() ReaderOption { return readerOption(func(c *readerConfig) { c.single = true }) }

// AllowTrailing makes the stream end before bytes that follow the last frame,
// instead of with blosc2.ErrTrailing. Trailing returns them. They may be another
// frame with a damaged beginning.
func AllowTrailing() ReaderOption { return readerOption(func(c *readerConfig) { c.trailing = true }) }

// SpoolLimit limits the spooling of frames that cannot be read front to back,
// from a source that cannot seek. Up to memory bytes, by default DefaultSpool,
// are held in memory, and the rest, up to total bytes altogether, in a
// temporary file. A larger frame results in blosc2.ErrTooLarge. A total of 0 means
// no limit; with a negative total nothing is spooled, and such a frame results in
// blosc2.ErrNotSequential.
func SpoolLimit(memory, total int64) ReaderOption {
	return readerOption(func(c *readerConfig) {
		c.spoolMemory, c.spoolTotal, c.noSpool = max(memory, 0), max(total, 0), total < 0
	})
}
