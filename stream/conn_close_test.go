package stream_test

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

// A second Close returns the result of the first one. Over TCP that is nil. Over a pipe
// the side that closes last gets an error, because the other side no longer reads the end
// of its frame.
func TestConnClosedTwice(t *testing.T) {
	pipeA, pipeB := net.Pipe()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	dialed, err := net.Dial("tcp", l.Addr().String())
	must(t, err)
	accepted, err := l.Accept()
	must(t, err)
	for _, pair := range []struct {
		name string
		a, b net.Conn
		last error // error of the end that is closed last
	}{{"pipe", pipeA, pipeB, io.ErrClosedPipe}, {"TCP", dialed, accepted, nil}} {
		a, err := stream.NewConn(pair.a)
		must(t, err)
		b, err := stream.NewConn(pair.b)
		must(t, err)
		var reader sync.WaitGroup
		reader.Go(func() {
			if _, err := io.Copy(io.Discard, b); err != nil {
				t.Errorf("%s: %v", pair.name, err)
			}
		})
		_, err = a.Write([]byte("once"))
		must(t, err)
		must(t, a.Close())
		reader.Wait()
		must(t, a.Close())
		for range 2 {
			if err := b.Close(); !errors.Is(err, pair.last) {
				t.Errorf("%s: the last Close: %v, want %v", pair.name, err, pair.last)
			}
		}
	}
}
