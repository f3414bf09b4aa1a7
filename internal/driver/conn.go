package driver

import (
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// unencrypted allows only HTTP/2 without encryption.
var unencrypted = func() *http.Protocols {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	return p
}()

// clientLimits suit ranges of megabytes on a pipe. There is one connection, so requests wait
// when it has as many as the server allows, or 100 before the server has said how many.
var clientLimits = &http.HTTP2Config{MaxReadFrameSize: 256 << 10, StrictMaxConcurrentRequests: true}

// serverLimits are for forwarded parts, of which few bytes are in memory. If a store
// accepts parts only in order, some parts wait. With these limits about 60 parts may
// wait, and other requests still proceed.
var serverLimits = &http.HTTP2Config{
	MaxConcurrentStreams:          10_000,
	MaxReceiveBufferPerStream:     64 << 10,
	MaxReceiveBufferPerConnection: 4<<20 - 1,
}

// A conn makes a connection of two pipes. It does not support deadlines.
type conn struct {
	in    io.ReadCloser
	out   io.WriteCloser
	once  sync.Once
	ended chan struct{} // closed by Close
	err   error
}

func newConn(in io.ReadCloser, out io.WriteCloser) *conn {
	return &conn{in: in, out: out, ended: make(chan struct{})}
}

func (c *conn) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c *conn) Write(p []byte) (int, error) { return c.out.Write(p) }

func (c *conn) Close() error {
	c.once.Do(func() {
		c.err = errors.Join(c.out.Close(), c.in.Close())
		close(c.ended)
	})
	return c.err
}

func (c *conn) LocalAddr() net.Addr              { return pipeAddr{} }
func (c *conn) RemoteAddr() net.Addr             { return pipeAddr{} }
func (c *conn) SetDeadline(time.Time) error      { return nil }
func (c *conn) SetReadDeadline(time.Time) error  { return nil }
func (c *conn) SetWriteDeadline(time.Time) error { return nil }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

// A oneConn is a listener with one connection; it closes when the connection ends.
type oneConn struct {
	mu   sync.Mutex
	conn net.Conn
	end  <-chan struct{}
}

func (l *oneConn) Accept() (net.Conn, error) {
	l.mu.Lock()
	c := l.conn
	l.conn = nil
	l.mu.Unlock()
	if c != nil {
		return c, nil
	}
	<-l.end
	return nil, net.ErrClosed
}

func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return pipeAddr{} }
