package stream

import (
	"time"

	"github.com/seed03b80dae/blosc2"
)

type connConfig struct {
	writer   writerConfig
	reader   readerConfig
	buffered bool
	delayed  bool // Delay was given
	most     int  // bytes to collect; 0 means a whole chunk
	wait     time.Duration
	compact  bool
}

type connOption func(*connConfig)

func (o connOption) toConn(c *connConfig) { o(c) }

// Buffered lets a Conn collect Writes until a chunk is full or Flush is called.
// Without it every Write is flushed. It has no effect with Delay.
func Buffered() ConnOption { return connOption(func(c *connConfig) { c.buffered = true }) }

// Delay lets a Conn collect Writes until there are n bytes, and no byte waits
// longer than d before it is sent. An n of 0 means a full chunk. Flush,
// CloseWrite and Close send the collected bytes immediately. A program that
// waits for an answer should call Flush first; otherwise the answer is up to d
// late.
//
// A goroutine sends the collected bytes and then ends; a Conn without unsent
// data has none. The first error of sending is returned by the next Write or
// Flush, by CloseWrite and by Close. The write deadline that applies is the one
// in effect when the data are sent.
//
// Collected messages share the overhead of a chunk, and compress better. Unless
// Codec, Level, Filters, Split or Auto is given, several parameters are tried for
// small chunks, as with [Compact]. Set TypeSize or Items, or use WriteSlice;
// without a typesize this saves little.
//
// There are no check records unless Checks(true) is given: TCP and TLS have
// checksums, and the records take 16 bytes for each chunk. Set it for a link
// without checksums.
func Delay(n int, d time.Duration) ConnOption {
	return connOption(func(c *connConfig) { c.delayed, c.most, c.wait = true, n, d })
}

// Compact minimizes the bytes that a Conn sends, for links where bytes cost more
// than processor time. There are no check records unless Checks(true) is given. For
// chunks of 32 bytes to 128 KiB it tries the parameters of the Conn, and zlib after
// four pipelines of filters, and sends the shortest. It does not change lossy
// codecs and filters, and level 0. This takes about 25 µs of processor time for 64
// bytes, 180 µs for 3 KiB and 300 µs for 32 KiB.
//
// A single message still costs 32 bytes for the header of its chunk, 8 more if
// it is compressed, and 8 in the index at the end of the frame. See [Conn].
func Compact() ConnOption {
	return connOption(func(c *connConfig) { c.compact = true })
}

// check checks the options and derives settings from them.
func (c *connConfig) check() error {
	w := &c.writer
	switch {
	case w.spool >= 0:
		return &blosc2.OptionError{Option: "spool", Value: w.spool, Range: "left out for a connection"}
	case c.most < 0:
		return &blosc2.OptionError{Option: "bytes of a delay", Value: c.most, Range: "0 (a chunk) or more"}
	case c.delayed && c.wait <= 0:
		return &blosc2.OptionError{Option: "delay", Value: c.wait, Range: "more than 0; leave it out to send every Write at once"}
	}
	if (c.compact || c.delayed) && !w.checked {
		w.checks = false
	}
	w.lent = true
	w.flushed = !c.buffered && !c.delayed
	w.search = (c.compact || c.delayed && !w.way && w.aim == 0) && w.chunk.Level > 0 && w.lossless()
	return nil
}
