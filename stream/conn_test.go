package stream_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// Requests and answers of many sizes are exchanged: neither side waits for a byte that
// the other has not sent. Then each direction is closed separately.
func TestConversation(t *testing.T) {
	procs(t, 2)
	for name, opts := range map[string][]stream.ConnOption{
		"one worker":  nil,
		"two workers": {stream.Workers(2)},
		"buffered":    {stream.Buffered(), stream.ChunkSize(10_000)},
		"zstd":        {stream.Codec(blosc2.CodecZstd), stream.ChunkSize(1000), stream.TypeSize(4), stream.Checks(false)},
	} {
		a, b, _, _ := talk(t, opts...)
		var server sync.WaitGroup
		server.Go(func() {
			buf := make([]byte, 100_000)
			for {
				n, err := io.ReadFull(b, buf[:4])
				if err == io.EOF {
					break
				}
				size := int(buf[0]) | int(buf[1])<<8 | int(buf[2])<<16
				if _, err := io.ReadFull(b, buf[:size]); err != nil || n != 4 {
					t.Errorf("%s: server: %d, %v", name, n, err)
					break
				}
				for i := range buf[:size] {
					buf[i] ^= 0xff
				}
				if _, err := b.Write(buf[:size]); err != nil {
					t.Errorf("%s: server: %v", name, err)
				}
				if err := b.Flush(); err != nil {
					t.Errorf("%s: server: %v", name, err)
				}
			}
			if _, err := b.Write([]byte("and out")); err != nil {
				t.Errorf("%s: server, after the client's end: %v", name, err)
			}
			if err := b.Close(); err != nil {
				t.Errorf("%s: server: Close: %v", name, err)
			}
		})
		for size := 1; size < 100_000; size = size*5/2 + 1 {
			request := numbers(size)
			_, err := a.Write([]byte{byte(size), byte(size >> 8), byte(size >> 16), 0})
			must(t, err)
			_, err = a.Write(request)
			must(t, err)
			must(t, a.Flush())
			answer := make([]byte, size)
			if _, err := io.ReadFull(a, answer); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i := range answer {
				answer[i] ^= 0xff
			}
			if !bytes.Equal(answer, request) {
				t.Fatalf("%s: another answer for %d bytes", name, size)
			}
		}
		must(t, a.CloseWrite())
		var last bytes.Buffer
		if _, err := a.WriteTo(&last); err != nil || last.String() != "and out" {
			t.Errorf("%s: after the server's end %q, %v", name, last.Bytes(), err)
		}
		if _, err := a.Write([]byte("x")); err != blosc2.ErrClosed {
			t.Errorf("%s: Write after CloseWrite: %v", name, err)
		}
		must(t, a.Close())
		must(t, a.Close())
		server.Wait()
		if sent, received := a.Stats(); sent.Bytes == 0 || received.Bytes == 0 || received.Frames != 1 {
			t.Errorf("%s: %+v, %+v", name, sent, received)
		}
		for _, c := range []*stream.Conn{a, b} {
			if _, err := c.Read(make([]byte, 1)); !errors.Is(err, blosc2.ErrClosed) || !errors.Is(err, net.ErrClosed) {
				t.Errorf("%s: Read after Close: %v", name, err)
			}
		}
	}
	goleak.VerifyNone(t)
}

// A frame ends after the given number of chunks, and the next one begins.
func TestConnFrames(t *testing.T) {
	a, b, _, _ := talk(t)
	const chunks = 3*512 + 5
	done := make(chan error)
	go func() {
		p := []byte{0}
		for range chunks {
			if _, err := a.Write(p); err != nil {
				done <- err
				return
			}
			p[0]++
		}
		done <- a.CloseWrite()
	}()
	got, err := io.ReadAll(b)
	must(t, err)
	must(t, <-done)
	for i, v := range got {
		if v != byte(i) {
			t.Fatalf("byte %d is %d", i, v)
		}
	}
	if _, received := b.Stats(); len(got) != chunks || received.Frames != 4 || received.Chunks != chunks {
		t.Errorf("%d bytes, %+v", len(got), received)
	}
	must(t, b.Close())
	must(t, a.Close())
}

// After an expired deadline, a reset or the loss of the peer, a Conn returns the error of
// the connection.
func TestConnErrors(t *testing.T) {
	buf := make([]byte, 10)

	a, b, _, _ := talk(t)
	must(t, b.SetReadDeadline(time.Now().Add(-time.Second)))
	var ne net.Error
	if _, err := b.Read(buf); !errors.As(err, &ne) || !ne.Timeout() || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("expired deadline: %v", err)
	}
	must(t, a.Close())
	b.Close() // may return an error, because a is closed

	a, b, rawA, _ := talk(t)
	_, err := a.Write([]byte("0123456789"))
	must(t, err)
	if _, err := io.ReadFull(b, buf); err != nil || string(buf) != "0123456789" {
		t.Fatalf("%q, %v", buf, err)
	}
	must(t, rawA.SetLinger(0))
	must(t, rawA.Close()) // resets the connection
	if _, err := b.Read(buf); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("reset: %v", err)
	}
	for err = nil; err == nil; {
		_, err = b.Write(noise(1 << 16))
	}
	if !errors.Is(err, syscall.EPIPE) && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("writing to a vanished peer: %v", err)
	}
	if cerr := b.Close(); cerr != err {
		t.Errorf("Close returned %v, not the first error, %v", cerr, err)
	}
	a.Close() // may return an error, because the connection is already closed

	a, b, rawA, _ = talk(t)
	must(t, rawA.CloseWrite()) // ends the connection in the middle of a frame
	if _, err := b.Read(buf); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("closed in the middle of a frame: %v", err)
	}
	a.Close()
	b.Close()
	goleak.VerifyNone(t)
}

// Close ends calls that are blocked.
func TestConnCloseWhileBlocked(t *testing.T) {
	procs(t, 2)
	for _, workers := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			a, b := pipes(t, stream.Workers(workers))
			errs := make(chan error, 2)
			go func() {
				_, err := a.Read(make([]byte, 1))
				errs <- err
			}()
			go func() {
				p := noise(1 << 20)
				for {
					if _, err := a.Write(p); err != nil { // blocks when the connection is full, because nothing reads
						errs <- err
						return
					}
				}
			}()
			synctest.Wait() // wait until both goroutines are blocked
			if len(errs) != 0 {
				t.Errorf("%d workers: %v before Close", workers, <-errs)
			}
			a.Close()
			for range 2 {
				if err := <-errs; !errors.Is(err, blosc2.ErrClosed) || !errors.Is(err, net.ErrClosed) {
					t.Errorf("%d workers: %v", workers, err)
				}
			}
			b.Close()
		})
	}
	goleak.VerifyNone(t)
}

func TestConnOptions(t *testing.T) {
	a, _ := tcp(t)
	for _, o := range []stream.ConnOption{stream.Level(10), stream.Workers(-1), stream.Spool(0)} {
		if _, err := stream.NewConn(a, o); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%v", err)
		}
	}
}
