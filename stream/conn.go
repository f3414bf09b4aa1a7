package stream

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
)

const (
	// connFrame is how many chunks a frame of a Conn has before it ends and the
	// next one begins, so that no index grows for ever.
	connFrame = 1 << 16
	// connEnd is how long Close tries to send the end of the frame.
	connEnd = 5 * time.Second
)

// A Conn is a connection whose two directions are streams of frames. It is a
// net.Conn: one goroutine may read while another writes, and Close may be
// called by any.
//
// A direction has one worker, and so no goroutine, unless Workers says
// otherwise. With more than one, a goroutine of its own reads the connection
// ahead of Read, and meets read deadlines whenever they expire. As with TLS, a
// direction has ended once a deadline has expired in it.
type Conn struct {
	c        net.Conn
	buffered bool
	r        *Reader

	wmu     sync.Mutex
	w       *Writer
	closing atomic.Bool
	closed  sync.Once
	err     error // of Close
}

var _ net.Conn = (*Conn)(nil)

// NewConn begins a conversation over c and sends the header of its own first
// frame at once; the other side's is read by the first Read. Until the other
// side reads, a c without any buffer, as net.Pipe has none, blocks NewConn.
func NewConn(c net.Conn, opts ...ConnOption) (*Conn, error) {
	cfg := connConfig{writer: defaultWriter(), reader: defaultReader()}
	cfg.writer.variable, cfg.writer.frameMax = true, connFrame
	cfg.writer.workers, cfg.reader.workers = 1, 1
	for _, o := range opts {
		o.toConn(&cfg)
	}
	if cfg.writer.spool >= 0 {
		return nil, &blosc2.OptionError{Option: "spool", Value: cfg.writer.spool, Range: "left out for a connection"}
	}
	r, err := newReader(cfg.reader)
	if err != nil {
		return nil, err
	}
	r.init(c)
	w, err := newWriter(c, cfg.writer)
	if err != nil {
		return nil, err
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	return &Conn{c: c, buffered: cfg.buffered, r: r, w: w}, nil
}

// Read gives what has arrived, of one chunk at a time. Behind the last frame of
// the other side it is io.EOF, a connection that ends within one is
// io.ErrUnexpectedEOF.
func (c *Conn) Read(p []byte) (int, error) { return c.r.Read(p) }

// WriteTo writes all that arrives to w, until the other side ends.
func (c *Conn) WriteTo(w io.Writer) (int64, error) { return c.r.WriteTo(w) }

// Write sends p, as a chunk or several, and returns when it is on its way. With
// Buffered it may wait for more.
func (c *Conn) Write(p []byte) (n int, err error) {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	if c.closing.Load() {
		return 0, blosc2.ErrClosed
	}
	n, err = c.w.Write(p)
	if err == nil && !c.buffered {
		err = c.w.Flush()
	}
	return n, err
}

// Flush sends what was written and is not on its way.
func (c *Conn) Flush() error {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	if c.closing.Load() {
		return blosc2.ErrClosed
	}
	return c.w.Flush()
}

// CloseWrite ends the frame, and this direction of the connection: the other
// side reads to its end, and can go on sending. A connection that cannot be
// closed by halves is errors.ErrUnsupported; its frame is ended all the same.
func (c *Conn) CloseWrite() error {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	if c.closing.Load() {
		return blosc2.ErrClosed
	}
	if err := c.w.Close(); err != nil {
		return err
	}
	half, ok := c.c.(interface{ CloseWrite() error })
	if !ok {
		return fmt.Errorf("blosc2: closing one direction of a %T: %w", c.c, errors.ErrUnsupported)
	}
	return half.CloseWrite()
}

// Close ends the frame, if that takes no more than five seconds, and closes the
// connection. Calls of Read and Write that are blocked end with an error. Close
// gives the first error of the sending direction, or that of closing.
func (c *Conn) Close() error {
	c.closed.Do(func() {
		c.closing.Store(true)
		if c.wmu.TryLock() { // else a Write is blocked, which the frame's end would be too
			if !c.w.closed && c.c.SetWriteDeadline(time.Now().Add(connEnd)) == nil {
				c.err = c.w.Close()
			}
			c.wmu.Unlock()
		}
		if err := c.c.Close(); c.err == nil {
			c.err = err
		}
		c.r.Close()
		c.wmu.Lock()
		c.w.abort(blosc2.ErrClosed)
		c.wmu.Unlock()
	})
	return c.err
}

// Header gives the header of the frame that the other side sends, and waits
// for it if need be.
func (c *Conn) Header() (*header.Header, error) { return c.r.Header() }

// Stats gives the figures of the two directions.
func (c *Conn) Stats() (sent, received Stats) {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	return c.w.Stats(), c.r.Stats()
}

// LocalAddr is that of the connection, as are RemoteAddr and the deadlines.
func (c *Conn) LocalAddr() net.Addr                { return c.c.LocalAddr() }
func (c *Conn) RemoteAddr() net.Addr               { return c.c.RemoteAddr() }
func (c *Conn) SetDeadline(t time.Time) error      { return c.c.SetDeadline(t) }
func (c *Conn) SetReadDeadline(t time.Time) error  { return c.c.SetReadDeadline(t) }
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.c.SetWriteDeadline(t) }
