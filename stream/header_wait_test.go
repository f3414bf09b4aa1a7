package stream_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// A signalling is a source that signals when it is read.
type signalling struct {
	io.Reader
	reading chan struct{}
}

func (s signalling) Read(p []byte) (int, error) {
	s.reading <- struct{}{}
	return s.Reader.Read(p)
}

type signallingConn struct {
	signalling
	net.Conn
}

func (s signallingConn) Read(p []byte) (int, error)        { return s.signalling.Read(p) }
func (s signallingConn) SetReadDeadline(d time.Time) error { return s.Conn.SetReadDeadline(d) }

// Close and a cancelled context wake a Reader that still waits for its first
// header: with several workers for any source, with one if the source has read
// deadlines.
func TestWaitingForHeader(t *testing.T) {
	defer goleak.VerifyNone(t)
	procs(t, 2)
	for _, workers := range []int{1, 2} {
		for _, by := range []string{"Close", "cancel"} {
			for _, what := range []string{"Read", "Header", "WriteTo"} {
				for _, part := range []int{0, 30} { // bytes of the header that have arrived
					var src io.Reader
					var release func()
					reading := make(chan struct{}, 10)
					head := compress(t, numbers(100))[:part]
					if workers == 1 {
						a, b := net.Pipe()
						go b.Write(head)
						src = signallingConn{signalling{a, reading}, a}
						release = func() { a.Close(); b.Close() }
					} else {
						pr, pw := io.Pipe()
						go pw.Write(head)
						src = signalling{pr, reading}
						release = func() { pr.Close() }
					}
					ctx, cancel := context.WithCancelCause(context.Background())
					r, err := stream.NewReader(src, stream.Workers(workers), stream.Context(ctx))
					must(t, err)
					failed := make(chan error, 1)
					go func() {
						var err error
						switch what {
						case "Read":
							_, err = r.Read(make([]byte, 10))
						case "Header":
							_, err = r.Header()
						default:
							_, err = r.WriteTo(io.Discard)
						}
						failed <- err
					}()
					<-reading
					if part > 0 {
						<-reading
					}
					want := error(blosc2.ErrClosed)
					if by == "Close" {
						r.Close()
					} else {
						want = errBoom
						cancel(errBoom)
					}
					if err := <-failed; err != want { // hangs if nothing wakes the Reader
						t.Errorf("%d workers, %s by %s: %v", workers, what, by, err)
					}
					r.Close()
					// The Reader can be used again at once, while its old source is still
					// blocked.
					must(t, r.Reset(bytes.NewBuffer(compress(t, numbers(500)))))
					got, err := io.ReadAll(r)
					if err != nil || !bytes.Equal(got, numbers(500)) {
						t.Errorf("again: %d bytes, %v", len(got), err)
					}
					release()
					cancel(nil)
				}
			}
		}
	}
}
