package stream_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/stream"
)

// A bufferedConn sends nothing before Flush.
type bufferedConn struct {
	net.Conn
	flusher
}

func (c *bufferedConn) Write(p []byte) (int, error) { return c.flusher.Write(p) }
func (c *bufferedConn) Close() error                { return nil }
func (c *bufferedConn) Flush() error                { c.flushed++; return c.err }

func (c *bufferedConn) SetWriteDeadline(time.Time) error { return nil }

// A Conn flushes a connection that buffers what it sends.
func TestConnFlushOfSink(t *testing.T) {
	const size = 4096
	for name, o := range map[string][]stream.ConnOption{
		"every Write": nil,
		"delayed":     {stream.Delay(0, time.Hour), stream.ChunkSize(size)},
	} {
		raw := &bufferedConn{flusher: flusher{Writer: io.Discard}}
		c, err := stream.NewConn(raw, append(o, stream.Workers(1))...)
		must(t, err)
		_, err = c.Write(make([]byte, size))
		must(t, err)
		if raw.flushed == 0 {
			t.Errorf("%s: a full chunk is not flushed", name)
		}
		raw.err = errors.New("boom")
		if err := c.Flush(); err != raw.err {
			t.Errorf("%s: %v", name, err)
		}
		if err := c.Close(); err != raw.err {
			t.Errorf("%s: Close: %v", name, err)
		}
	}
}

// A chunk that several workers compress is also sent within the delay.
func TestConnDelayWorkers(t *testing.T) {
	const size = 4096
	near, far := tcp(t)
	c, err := stream.NewConn(near, stream.Workers(2), stream.Delay(0, 5*time.Millisecond), stream.ChunkSize(size))
	must(t, err)
	peer, err := stream.NewConn(far)
	must(t, err)
	_, err = c.Write(make([]byte, size))
	must(t, err)
	must(t, peer.SetReadDeadline(time.Now().Add(20*time.Second)))
	if _, err := io.ReadFull(peer, make([]byte, size)); err != nil {
		t.Error(err)
	}
	must(t, c.Close())
	peer.Close()
}
