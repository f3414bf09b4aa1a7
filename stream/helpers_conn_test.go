package stream_test

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/stream"
)

func closeAll(conns []*stream.Conn) {
	var all sync.WaitGroup
	for _, c := range conns {
		all.Go(func() { c.Close() })
	}
	all.Wait()
}

// pipes returns two Conns over net.Pipe, made by one goroutine.
func pipes(t testing.TB, opts ...stream.ConnOption) (a, b *stream.Conn) {
	t.Helper()
	rawA, rawB := net.Pipe()
	a, err := stream.NewConn(rawA, opts...)
	must(t, err)
	b, err = stream.NewConn(rawB, opts...)
	must(t, err)
	return a, b
}

// A wire is a connection that records the sent bytes and receives nothing.
type wire struct {
	bytes.Buffer
	writes atomic.Int64
}

func (w *wire) Write(p []byte) (int, error) { w.writes.Add(1); return w.Buffer.Write(p) }

func (w *wire) Read([]byte) (int, error) { return 0, io.EOF }

func (w *wire) Close() error { return nil }

func (w *wire) LocalAddr() net.Addr { return &net.IPAddr{} }

func (w *wire) RemoteAddr() net.Addr { return &net.IPAddr{} }

func (w *wire) SetDeadline(time.Time) error { return nil }

func (w *wire) SetReadDeadline(time.Time) error { return nil }

func (w *wire) SetWriteDeadline(time.Time) error { return nil }
