package stream

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
)

const (
	// connFrame is the number of chunks after which a frame of a Conn ends and the next
	// one begins. Both sides keep an index of 8 bytes for each chunk, so this limits it
	// to 4 KiB. A frame adds about 280 bytes, which is half a byte for each chunk.
	connFrame = 512
	// connEnd is how long Close tries to send the end of a frame: as long as
	// crypto/tls tries to send its alert.
	connEnd = 5 * time.Second
)

// A Conn is a connection whose two directions are streams of frames. It is a
// net.Conn: one goroutine may read while another writes, and all methods may be
// called by several goroutines. The header of a direction is sent with the first
// Write, Flush, CloseWrite or Close.
//
// A direction has one worker, and so no goroutine, unless Workers says
// otherwise. With more than one, a separate goroutine reads the connection
// ahead of Read, and read deadlines apply to it. A direction is unusable after one
// of its deadlines has expired, also that of reading, which a tls.Conn survives.
//
// A connection that wraps another should forward its CloseWrite method. Without it,
// CloseWrite only ends the frame, and a peer that reads to the end of the
// connection waits for Close: two sides that each wait for the other's end before
// they call Close deadlock. Close waits for a blocked Write, so Close of the
// wrapper must interrupt it, as Close of a net.Conn does. If a wrapper cannot have
// these methods, set deadlines.
//
// # Memory
//
// With one worker a Conn holds about 6 KiB, and 16 bytes for each chunk of the
// frames under way, at most 8 KiB. Buffers and the tables of codecs are
// borrowed while a chunk is coded; all connections of a program share them.
// While a Write blocks, or collected data wait for a Flush, their buffers are
// held as well.
//
// # Small messages
//
// Every Write is a separate chunk, unless Buffered or Delay is given. A
// message of n bytes takes, on the wire,
//
//	32 bytes  for the header of its chunk
//	 8 bytes  more if it is compressed, to less than n
//	16 bytes  for its check record, unless Checks(false), Compact or Delay is given
//	 8 bytes  in the index that ends the frame, after 512 chunks at the latest
//
// and a frame adds about 280 bytes. Records of 64 bytes, timestamps and
// measurements, take 1.85 times their size on the wire if sent one by one, and 1.56
// times with Compact. Collected for 5 ms with Delay they take 0.68 times their size
// at 1,000 messages per second, 0.51 at 2,000 and 0.34 at 10,000.
type Conn struct {
	c        net.Conn
	buffered bool
	r        *Reader

	turn   turn // must be held to use w and delay
	w      *Writer
	delay  *delay // nil unless there is one
	sent   figures
	closed sync.Once
	err    error // result of Close
}

var _ net.Conn = (*Conn)(nil)

// NewConn returns a Conn over c. It does not send or read yet.
func NewConn(c net.Conn, opts ...ConnOption) (*Conn, error) {
	if c == nil {
		return nil, &blosc2.OptionError{Option: "connection", Value: nil, Range: "a net.Conn"}
	}
	cfg := connConfig{writer: defaultWriter(), reader: defaultReader()}
	cfg.writer.variable, cfg.writer.frameMax = true, connFrame
	cfg.writer.workers, cfg.reader.workers = 1, 1
	for _, o := range opts {
		if o != nil {
			o.toConn(&cfg)
		}
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	r, err := newReader(cfg.reader)
	if err != nil {
		return nil, err
	}
	w, err := newWriter(&connSink{w: c}, cfg.writer)
	if err != nil {
		return nil, err
	}
	if cfg.reader.workers == 1 {
		r.cfg.lend = r.dec.lend
	}
	r.init(c)
	conn := &Conn{c: c, buffered: cfg.buffered, r: r, w: w}
	conn.turn.init()
	if cfg.delayed {
		conn.delay = &delay{most: cfg.most, wait: cfg.wait}
		if cfg.most == 0 {
			conn.delay.most = w.cfg.chunkSize
		}
	}
	return conn, nil
}

// Read reads the available bytes of one chunk. After the last frame of the
// other side it returns io.EOF; if the connection ends within a frame,
// io.ErrUnexpectedEOF. A first byte that cannot begin a frame is an error,
// without waiting for more.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	return n, c.closing(err)
}

// WriteTo writes the received data to w until the other side ends.
func (c *Conn) WriteTo(w io.Writer) (int64, error) {
	n, err := c.r.WriteTo(w)
	return n, c.closing(err)
}

// Write sends p in one or more chunks, and returns after writing them to the
// connection. With Buffered or Delay it may collect p instead. It does not
// retain p.
func (c *Conn) Write(p []byte) (n int, err error) {
	err = c.sending(func() error {
		if n, err = c.w.Write(p); err == nil {
			err = c.written()
		}
		return err
	})
	return n, err
}

// Flush sends the collected data.
func (c *Conn) Flush() error { return c.sending(c.flush) }

// CloseWrite ends the frame, and this direction of the connection: the other side reads
// to its end, and can continue to send. If the connection has no CloseWrite method,
// CloseWrite returns errors.ErrUnsupported, but ends the frame nevertheless. After an
// error of the source in ReadFrom the frame is not ended, and CloseWrite returns that
// error.
func (c *Conn) CloseWrite() error {
	return c.sending(func() error {
		if c.delay != nil {
			c.delay.stop()
		}
		err := c.w.Close()
		half, ok := c.c.(interface{ CloseWrite() error })
		if !ok && err == nil {
			return fmt.Errorf("blosc2: closing one direction of a %T: %w", c.c, errors.ErrUnsupported)
		}
		if ok {
			err = cmp.Or(err, half.CloseWrite())
		}
		return err
	})
}

// sending calls f while it holds the turn to send.
func (c *Conn) sending(f func() error) error {
	if !c.turn.take() {
		return errConnClosed
	}
	defer c.turn.give()
	defer c.rest()
	return c.closing(f())
}

// errConnClosed is the error of a Conn after Close. Servers compare that of a net.Conn
// with net.ErrClosed.
var errConnClosed = fmt.Errorf("%w: %w", blosc2.ErrClosed, net.ErrClosed)

// closing returns err, which after Close also wraps the errors of errConnClosed.
func (c *Conn) closing(err error) error {
	switch {
	case err == nil || err == io.EOF || !c.turn.over():
		return err
	case err == blosc2.ErrClosed:
		return errConnClosed
	case errors.Is(err, net.ErrClosed):
		return fmt.Errorf("%w: %w", blosc2.ErrClosed, err)
	}
	return fmt.Errorf("%w: %w", errConnClosed, err)
}

// rest is called after each use of the Writer.
func (c *Conn) rest() {
	c.w.rest()
	c.sent.set(c.w.Stats())
}

// Close sends the collected data and the end of the frame, for at most five
// seconds, and closes the connection. Blocked calls of Read and Write return an
// error; if a Write is blocked, the frame is not ended, and Close returns an
// error too. Otherwise it returns the first error of the sending direction, or
// that of closing: over a net.Pipe, the side that closes last gets
// io.ErrClosedPipe, because the other no longer reads the end of its frame.
// Later calls do nothing and return the same error. The errors of the other methods
// then wrap blosc2.ErrClosed and net.ErrClosed.
func (c *Conn) Close() error {
	c.closed.Do(func() {
		if c.c.SetWriteDeadline(time.Now().Add(connEnd)) != nil { // not every connection has deadlines
			defer time.AfterFunc(connEnd, func() { c.c.Close() }).Stop()
		}
		free := c.turn.end()
		if free { // otherwise a Write is blocked, and writing the frame's end would block too
			if !c.w.closed {
				c.err = c.w.Close()
			}
			c.turn.give()
		}
		if err := c.c.Close(); c.err == nil {
			c.err = err
		}
		c.r.Close()
		c.turn.takeAnyway()
		if c.delay != nil {
			c.delay.stop()
		}
		if !free && !c.w.closed {
			c.err = fmt.Errorf("blosc2: closed during a Write; the frame is not finished: %w", cmp.Or(c.w.err, blosc2.ErrClosed))
		}
		c.w.abort(blosc2.ErrClosed)
		c.rest()
		c.turn.give()
	})
	return c.err
}

// Header returns the header of the frame that the other side sends, waiting for
// it if necessary. Two sides that both wait for a header before they send
// deadlock: one of them must call Flush first.
func (c *Conn) Header() (*header.Header, error) {
	h, err := c.r.Header()
	return h, c.closing(err)
}

// Stats returns the statistics of both directions; those of sending are as of
// the last completed call. It does not wait for a blocked Write.
func (c *Conn) Stats() (sent, received Stats) { return c.sent.get(), c.r.Stats() }

// LocalAddr returns the local address of the connection. RemoteAddr and the
// deadlines are those of the connection too. Data that a deadline keeps from
// being sent are lost, collected or not.
func (c *Conn) LocalAddr() net.Addr                { return c.c.LocalAddr() }
func (c *Conn) RemoteAddr() net.Addr               { return c.c.RemoteAddr() }
func (c *Conn) SetDeadline(t time.Time) error      { return c.c.SetDeadline(t) }
func (c *Conn) SetReadDeadline(t time.Time) error  { return c.c.SetReadDeadline(t) }
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.c.SetWriteDeadline(t) }
