package stream_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// After Close the errors of all methods are blosc2.ErrClosed and net.ErrClosed. An
// expired deadline is os.ErrDeadlineExceeded, and remains that after Close.
func TestConnErrClosed(t *testing.T) {
	methods := map[string]func(c *stream.Conn) error{
		"Read":       func(c *stream.Conn) error { _, err := c.Read(make([]byte, 1)); return err },
		"ReadSlice":  func(c *stream.Conn) error { _, err := stream.ReadSlice(c, make([]int32, 1)); return err },
		"WriteTo":    func(c *stream.Conn) error { _, err := c.WriteTo(io.Discard); return err },
		"Header":     func(c *stream.Conn) error { _, err := c.Header(); return err },
		"Write":      func(c *stream.Conn) error { _, err := c.Write([]byte("x")); return err },
		"WriteSlice": func(c *stream.Conn) error { _, err := stream.WriteSlice(c, []int32{1}); return err },
		"ReadFrom":   func(c *stream.Conn) error { _, err := c.ReadFrom(strings.NewReader("x")); return err },
		"Flush":      func(c *stream.Conn) error { return c.Flush() },
		"CloseWrite": func(c *stream.Conn) error { return c.CloseWrite() },
	}
	for _, expired := range []bool{false, true} {
		piped, pipedPeer := pipes(t)
		dialed, dialedPeer, _, _ := talk(t)
		for name, c := range map[string][2]*stream.Conn{"a pipe": {piped, pipedPeer}, "TCP": {dialed, dialedPeer}} {
			what := fmt.Sprintf("over %s, expired %v", name, expired)
			if c := c[0]; expired {
				must(t, c.SetDeadline(time.Now().Add(-time.Second)))
				for _, method := range []string{"Read", "Write"} {
					if err := methods[method](c); !errors.Is(err, os.ErrDeadlineExceeded) {
						t.Errorf("%s %s: %v", method, what, err)
					}
				}
			}
			closeAll(c[:]) // may return errors, because of the deadline and as both ends close
			for method, call := range methods {
				err := call(c[0])
				if !errors.Is(err, blosc2.ErrClosed) || !errors.Is(err, net.ErrClosed) {
					t.Errorf("%s after Close %s: %v", method, what, err)
				}
				if method == "Read" && errors.Is(err, os.ErrDeadlineExceeded) != expired {
					t.Errorf("%s after Close %s: %v", method, what, err)
				}
			}
		}
	}
}
