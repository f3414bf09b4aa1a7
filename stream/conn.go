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
	// connFrame is how many chunks a frame of a Conn has before it ends and the
	// next one begins: both sides keep 8 bytes of index for each. A frame costs
	// about 280 bytes of its own.
	connFrame = 512
	// connEnd is how long Close tries to send the end of the frame.
	connEnd = 5 * time.Second
)

// A Conn is a connection whose two directions are streams of frames. It is a
// net.Conn: one goroutine may read while another writes, and all methods may be
// called by several goroutines. The header of a direction goes out with the
// first Write, Flush, CloseWrite or Close.
//
// A direction has one worker, and so no goroutine, unless Workers says
// otherwise. With more than one, a separate goroutine reads the connection
// ahead of Read, and meets read deadlines whenever they expire. As with TLS, a
// direction has ended once a deadline has expired in it.
//
// A connection that wraps another one should have the CloseWrite method of that.
// Without it CloseWrite can end the frame alone, and a peer that reads on to the end
// of the connection waits for Close: two sides that each wait for the end of the
// other before they call Close wait for ever. Close waits for a blocked Write, so
// Close of the wrapper must interrupt it, as that of a net.Conn does. Where a wrapper
// cannot have these methods, set deadlines.
//
// # Memory
//
// With one worker a Conn holds about 6 KiB, and 16 bytes for each chunk of the
// frames under way, at most 8 KiB. Buffers and the tables of codecs are borrowed
// while a chunk is coded; all connections of a program share them. While a Write
// waits for the other side, or collected data wait for the Flush, their buffers
// are held as well.
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
// and a frame takes about 280 bytes besides. Records of 64 bytes, of time stamps
// and measurements, take 1.85 times their bytes on the wire if they are sent one
// by one, and 1.56 times with Compact. Collected for 5 ms with Delay they take
// 0.68 times their bytes at 1,000 messages a second, 0.51 at 2,000 and 0.34 at
// 10,000.
type Conn struct {
	c        net.Conn
	buffered bool
	r        *Reader

	turn   turn // of all below
	w      *Writer
	delay  *delay // nil unless there is one
	sent   figures
	closed sync.Once
	err    error // of Close
}

var _ net.Conn = (*Conn)(nil)

// NewConn makes a Conn of c. It sends and reads nothing yet.
func NewConn(c net.Conn, opts ...ConnOption) (*Conn, error) {
	if c == nil {
		return nil, &blosc2.OptionError{Option: "connection", Value: nil, Range: "a net.Conn"}
	}
	cfg := connConfig{writer: defaultWriter(), reader: defaultReader()}
	cfg.writer.variable, cfg.writer.frameMax = true, connFrame
	cfg.writer.workers, cfg.reader.workers = 1, 1
	for _, o := range opts {
		o.toConn(&cfg)
	}
	if err := cfg.settle(); err != nil {
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

// Read returns what has arrived, of one chunk at a time. After the last frame of
// the other side it returns io.EOF, and io.ErrUnexpectedEOF for a connection that
// ends within a frame. A first byte that begins no frame is an error at once.
func (c *Conn) Read(p []byte) (int, error) { return c.r.Read(p) }

// WriteTo writes all that arrives to w, until the other side ends.
func (c *Conn) WriteTo(w io.Writer) (int64, error) { return c.r.WriteTo(w) }

// Write sends p, as a chunk or several, and returns when it is on its way. With
// Buffered or Delay it may wait for more. p is not kept.
func (c *Conn) Write(p []byte) (n int, err error) {
	err = c.sending(func() error {
		if n, err = c.w.Write(p); err == nil {
			err = c.written()
		}
		return err
	})
	return n, err
}

// Flush sends what was written and is not on its way.
func (c *Conn) Flush() error { return c.sending(c.flush) }

// CloseWrite ends the frame, and this direction of the connection: the other
// side reads to its end, and can go on sending. For a connection that cannot be
// closed by halves the error is errors.ErrUnsupported; its frame is ended all
// the same. After an error of the source that ReadFrom met the frame is not ended,
// and CloseWrite returns that error.
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

// sending calls f, which sends, with the turn.
func (c *Conn) sending(f func() error) error {
	if !c.turn.take() {
		return blosc2.ErrClosed
	}
	defer c.turn.give()
	defer c.rest()
	return f()
}

// rest ends a use of the Writer.
func (c *Conn) rest() {
	c.w.rest()
	c.sent.set(c.w.Stats())
}

// Close sends what is collected and the end of the frame, if that takes no more
// than five seconds, and closes the connection. Calls of Read and Write that are
// blocked end with an error; where a Write is blocked, the frame is not ended, and
// Close returns an error too. Else it returns the first error of the sending
// direction, or that of closing: over a net.Pipe, the side that closes last gets
// io.ErrClosedPipe, because the other one no longer reads the end of its frame.
// Later calls do nothing and return what the first one did, as those of a Writer.
func (c *Conn) Close() error {
	c.closed.Do(func() {
		if c.c.SetWriteDeadline(time.Now().Add(connEnd)) != nil { // not every connection has deadlines
			defer time.AfterFunc(connEnd, func() { c.c.Close() }).Stop()
		}
		free := c.turn.end()
		if free { // else a Write is blocked, which the frame's end would be too
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
			c.err = fmt.Errorf("blosc2: closed while a Write was under way, the frame is not finished: %w", cmp.Or(c.w.err, blosc2.ErrClosed))
		}
		c.w.abort(blosc2.ErrClosed)
		c.rest()
		c.turn.give()
	})
	return c.err
}

// Header returns the header of the frame that the other side sends, and waits
// for it if need be. Two sides that both wait for a header before they send
// wait for ever: one of them calls Flush first.
func (c *Conn) Header() (*header.Header, error) { return c.r.Header() }

// Stats returns the figures of the two directions, those of the sending one as of
// the last call that ended. It does not wait for a Write that is blocked.
func (c *Conn) Stats() (sent, received Stats) { return c.sent.get(), c.r.Stats() }

// LocalAddr is that of the connection, as are RemoteAddr and the deadlines.
// Collected data that a deadline keeps from being sent are lost, as are those of
// a Write.
func (c *Conn) LocalAddr() net.Addr                { return c.c.LocalAddr() }
func (c *Conn) RemoteAddr() net.Addr               { return c.c.RemoteAddr() }
func (c *Conn) SetDeadline(t time.Time) error      { return c.c.SetDeadline(t) }
func (c *Conn) SetReadDeadline(t time.Time) error  { return c.c.SetReadDeadline(t) }
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.c.SetWriteDeadline(t) }
