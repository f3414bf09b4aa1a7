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
	most     int  // bytes that may wait; 0: a chunk
	wait     time.Duration
	compact  bool
}

type connOption func(*connConfig)

func (o connOption) toConn(c *connConfig) { o(c) }

// Buffered lets a Conn collect Writes until a chunk is full or Flush is
// called. Without it every Write is flushed. With Delay it changes nothing.
func Buffered() ConnOption { return connOption(func(c *connConfig) { c.buffered = true }) }

// Delay lets a Conn collect Writes until there are n bytes, and no byte waits
// longer than d before it is sent. An n of 0 means a full chunk. Flush,
// CloseWrite and Close send what waits at once; a program that waits for an
// answer calls Flush first, or the answer is up to d late.
//
// What is collected is sent by a goroutine that ends with that; a Conn whose
// data are all sent has none. The first error of sending is returned by the next
// Write or Flush, by CloseWrite and by Close. The write deadline that holds is
// that of the moment in which the data are sent.
//
// Messages that are collected share the overhead of a chunk, and compress
// better. Unless Codec, Level, Filters, Split or Auto is given, small chunks are
// also made in several ways, as with [Compact]. TypeSize, Items or WriteSlice
// must say what the items are, or little is found.
//
// There are no check records unless Checks(true) is given: TCP and TLS have
// checksums, and the records take 16 bytes for each chunk. Give it for a link
// without any.
func Delay(n int, d time.Duration) ConnOption {
	return connOption(func(c *connConfig) { c.delayed, c.most, c.wait = true, n, d })
}

// Compact makes what a Conn sends as short as the format allows, for links
// where bytes cost more than processor time. There are no check records unless
// Checks(true) is given. Chunks of 32 bytes to 128 KiB are made in several ways,
// and the shortest is sent: with the parameters of the Conn, and by zlib after
// four pipelines of filters. Codecs and filters that lose bits, and level 0, are
// left as they are. The ways take some 25 µs of processor time for 64 bytes,
// 180 µs for 3 KiB and 300 µs for 32 KiB.
//
// A message that is sent alone still costs 32 bytes for the header of its chunk,
// 8 more where it is compressed, and 8 in the index at the end of the frame.
// See [Conn].
func Compact() ConnOption {
	return connOption(func(c *connConfig) { c.compact = true })
}

// settle checks the options and draws the conclusions.
func (c *connConfig) settle() error {
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
