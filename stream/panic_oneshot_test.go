package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/stream"
)

// A panic in Compress or Decompress, of a callback or a codec, leaves no goroutine,
// and the next call is not affected.
func TestPanicInOneShot(t *testing.T) {
	procs(t, 2)
	data := doubled(4 << 20)
	for _, workers := range []int{1, 2} {
		options := append([]stream.WriterOption{stream.ChunkSize(100_000), stream.Workers(workers)}, mineOptions...)
		packed, err := stream.Compress(nil, data, options...)
		must(t, err)
		progress := stream.Progress(func(stream.Stats) { panic(errBoom) })
		for name, f := range map[string]func(more bool) ([]byte, error){
			"compress": func(more bool) ([]byte, error) {
				if more {
					return stream.Compress(nil, data, append(options, progress)...)
				}
				return stream.Compress(nil, data, options...)
			},
			"decompress": func(more bool) ([]byte, error) {
				if more {
					return stream.Decompress(nil, packed, stream.Workers(workers), progress)
				}
				return stream.Decompress(nil, packed, stream.Workers(workers))
			},
		} {
			name := fmt.Sprintf("%s, %d workers", name, workers)
			panics(t, name+", progress", false, func() { f(true) })
			goleak.VerifyNone(t)
			armed.Store(true)
			panics(t, name+", codec", false, func() { f(false) })
			armed.Store(false)
			goleak.VerifyNone(t)
			got, err := f(false)
			if err != nil || !bytes.Equal(got, packed) && !bytes.Equal(got, data) {
				t.Errorf("%s: again: %d bytes, %v", name, len(got), err)
			}
		}
	}
}

// A panicConn panics when it is written to.
type panicConn struct {
	net.Conn
	written chan struct{}
}

func (c panicConn) Write([]byte) (int, error) {
	c.written <- struct{}{}
	panic(errBoom)
}

// A panic of a connection or a codec ends the Conn, which can be closed. The next call
// returns the panic of a delayed flush as an error.
func TestPanicInConn(t *testing.T) {
	for _, workers := range []int{1, 2} {
		raw, peer := net.Pipe()
		c, err := stream.NewConn(panicConn{raw, make(chan struct{}, 10)}, stream.Workers(workers))
		must(t, err)
		panics(t, "write", false, func() { c.Write([]byte("message")) })
		if _, err := c.Write([]byte("more")); err == nil {
			t.Error("written on")
		}
		if err := c.Close(); err == nil {
			t.Error("closed without an error")
		}
		peer.Close()

		a, b := tcp(t)
		from, err := stream.NewConn(a, stream.Workers(workers), stream.Codec(mineID), stream.BlockSize(1000), stream.TypeSize(1))
		must(t, err)
		to, err := stream.NewConn(b, stream.Workers(workers))
		must(t, err)
		_, err = from.Write(doubled(1000))
		must(t, err)
		armed.Store(true)
		panics(t, "encode", false, func() { from.Write(doubled(1000)) })
		panics(t, "decode", false, func() { io.ReadFull(to, make([]byte, 1000)) })
		armed.Store(false)
		from.Close()
		to.Close()

		raw, peer = net.Pipe()
		late := panicConn{raw, make(chan struct{}, 10)}
		c, err = stream.NewConn(late, stream.Workers(workers), stream.Delay(0, time.Millisecond))
		must(t, err)
		_, err = c.Write([]byte("message"))
		must(t, err)
		<-late.written
		for _, f := range []func() error{c.Flush, c.Close} {
			if err := f(); !errors.Is(err, errBoom) {
				t.Errorf("delayed: %v", err)
			}
		}
		peer.Close()
		goleak.VerifyNone(t)
	}
}
