package stream_test

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// One goroutine holds both ends of a connection without a buffer: NewConn sends
// nothing, and with Delay the timer sends what Write has collected.
func TestConnOneGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rawA, rawB := net.Pipe()
		a, err := stream.NewConn(rawA, stream.Delay(0, time.Second))
		must(t, err)
		b, err := stream.NewConn(rawB, stream.Delay(0, time.Second))
		must(t, err)
		got := make([]byte, 10)
		for range 3 {
			begun := time.Now()
			_, err = a.Write([]byte("there "))
			must(t, err)
			time.Sleep(400 * time.Millisecond)
			_, err = a.Write([]byte("back"))
			must(t, err)
			_, err = io.ReadFull(b, got)
			if d := time.Since(begun); err != nil || string(got) != "there back" || d != time.Second {
				t.Fatalf("%q, %v, after %v", got, err, d)
			}
			_, err = b.Write(got[6:])
			must(t, err)
			if _, err := io.ReadFull(a, got[:4]); err != nil || string(got[:4]) != "back" {
				t.Fatalf("%q, %v", got, err)
			}
		}
		if sent, _ := a.Stats(); sent.Chunks != 3 {
			t.Errorf("%d chunks for six messages in three seconds", sent.Chunks)
		}
		rawB.Close() // a.Close would otherwise wait until the end of its frame is read
		if err := a.Close(); err == nil {
			t.Error("no error of Close with nobody there")
		}
		b.Close()
	})
}

// Collected data are sent after n bytes, a full chunk, Flush and Close, and
// otherwise not before the delay is over, for any sequence of calls.
func TestConnDelayBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(wire)
		c, err := stream.NewConn(w, stream.Delay(1000, 5*time.Millisecond), stream.ChunkSize(4000))
		must(t, err)
		expect := func(what string, writes int64) {
			t.Helper()
			synctest.Wait()
			if w.writes.Load() != writes {
				t.Errorf("%s: %d writes, expected %d", what, w.writes.Load(), writes)
			}
		}
		write := func(n int) {
			t.Helper()
			_, err := c.Write(make([]byte, n))
			must(t, err)
		}
		expect("NewConn", 0)
		write(999)
		expect("less than n", 0)
		write(1)
		expect("n", 1)
		time.Sleep(time.Second)
		expect("nothing waits", 1)
		write(10)
		time.Sleep(3 * time.Millisecond)
		write(10) // begins no delay of its own
		time.Sleep(2*time.Millisecond - 1)
		expect("just before", 1)
		time.Sleep(time.Nanosecond)
		expect("the delay", 2)
		write(10)
		time.Sleep(4 * time.Millisecond)
		must(t, c.Flush())
		expect("Flush", 3)
		write(10) // begins a new delay
		time.Sleep(4 * time.Millisecond)
		expect("after a Flush", 3)
		time.Sleep(time.Millisecond)
		expect("the delay after a Flush", 4)
		write(4500) // a whole chunk, and half of n bytes
		expect("a full chunk", 5)
		must(t, c.Close())
		expect("Close, and the end of the frame", 7)
		time.Sleep(time.Second)
		expect("after Close", 7)
		r, err := stream.NewReader(&w.Buffer)
		must(t, err)
		if n, err := io.Copy(io.Discard, r); n != 1000+20+10+10+4500 || err != nil {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
}

// The next call returns an error of a delayed flush, and so do all later ones.
func TestConnDelayErrors(t *testing.T) {
	for name, next := range map[string]func(*stream.Conn) error{
		"Write":      func(c *stream.Conn) error { _, err := c.Write([]byte("x")); return err },
		"Flush":      (*stream.Conn).Flush,
		"CloseWrite": (*stream.Conn).CloseWrite,
		"Close":      (*stream.Conn).Close,
	} {
		synctest.Test(t, func(t *testing.T) {
			raw, peer := net.Pipe()
			c, err := stream.NewConn(raw, stream.Delay(0, 5*time.Millisecond))
			must(t, err)
			must(t, c.SetWriteDeadline(time.Now().Add(time.Second))) // nothing reads from the connection
			_, err = c.Write([]byte("x"))
			must(t, err)
			time.Sleep(2 * time.Second)
			for range 2 {
				if err := next(c); !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("%s after a deadline: %v", name, err)
				}
			}
			c.Close()
			peer.Close()
		})
		synctest.Test(t, func(t *testing.T) { // in this case the peer disconnects
			raw, peer := net.Pipe()
			c, err := stream.NewConn(raw, stream.Delay(0, 5*time.Millisecond))
			must(t, err)
			_, err = c.Write([]byte("x"))
			must(t, err)
			peer.Close()
			time.Sleep(time.Second)
			if err := next(c); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%s after the peer went away: %v", name, err)
			}
			c.Close()
			if _, err := c.Write([]byte("x")); !errors.Is(err, blosc2.ErrClosed) {
				t.Errorf("Write after Close: %v", err)
			}
		})
	}
}

// Close while data are collected sends them; if a delayed flush is blocked, Close waits
// for it, but no longer than it would to send the end of the frame.
func TestConnCloseWhileDelayed(t *testing.T) {
	for name, wait := range map[string]time.Duration{"pending": 0, "blocked": time.Second} {
		synctest.Test(t, func(t *testing.T) {
			raw, peer := net.Pipe()
			c, err := stream.NewConn(raw, stream.Delay(0, 5*time.Millisecond))
			must(t, err)
			_, err = c.Write([]byte("the last words"))
			must(t, err)
			time.Sleep(wait)
			go func() {
				time.Sleep(3 * time.Second) // Close is waiting for the delayed flush
				r, err := stream.NewReader(peer, stream.Workers(1))
				if err == nil {
					var got []byte
					if got, err = io.ReadAll(r); string(got) != "the last words" {
						t.Errorf("%s: %q", name, got)
					}
				}
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}()
			if err := c.Close(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		synctest.Test(t, func(t *testing.T) { // nothing reads from the connection
			raw, peer := net.Pipe()
			c, err := stream.NewConn(raw, stream.Delay(0, 5*time.Millisecond))
			must(t, err)
			_, err = c.Write([]byte("the last words"))
			must(t, err)
			time.Sleep(wait)
			begun := time.Now()
			if err := c.Close(); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begun) != 5*time.Second {
				t.Errorf("%s: nobody reads: %v after %v", name, err, time.Since(begun))
			}
			peer.Close()
		})
	}
}

// A peer with another protocol is rejected by its first byte.
func TestConnForeignByte(t *testing.T) {
	for name, sent := range map[string]string{"first": "H", "second": "\x9eH", "chunk": ""} {
		raw, peer := net.Pipe()
		c, err := stream.NewConn(raw)
		must(t, err)
		go func() {
			if name != "chunk" {
				io.WriteString(peer, sent) // sends the text and waits for an answer
				return
			}
			p, err := stream.NewConn(peer)
			if err != nil {
				t.Error(err)
			}
			p.Flush()
			io.WriteString(peer, "H") // an invalid byte where a chunk may start
		}()
		must(t, c.SetReadDeadline(time.Now().Add(20*time.Second)))
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, blosc2.ErrCorrupt) || errors.Is(err, blosc2.ErrNotBlosc2) != (name != "chunk") {
			t.Errorf("%s byte: %v", name, err)
		}
		peer.Close()
		c.Close()
	}
	goleak.VerifyNone(t)
}

func TestConnDelayOptions(t *testing.T) {
	for _, o := range []stream.ConnOption{stream.Delay(-1, 1), stream.Delay(1, 0), stream.Delay(1, -1)} {
		if _, err := stream.NewConn(new(wire), o); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%v", err)
		}
	}
}
