package stream_test

import (
	"net"
	"testing"
	"testing/synctest"

	"github.com/seed03b80dae/blosc2/stream"
)

// Stats does not wait for a blocked Write, and so cannot keep Close from sending the
// collected data.
func TestConnStatsDuringWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		raw, other := net.Pipe()
		c, err := stream.NewConn(raw)
		must(t, err)
		go c.Write(make([]byte, 100)) // blocks, because nothing reads
		synctest.Wait()
		if sent, received := c.Stats(); sent.Chunks != 0 || received != (stream.Stats{}) {
			t.Errorf("%+v and %+v before a call has ended", sent, received)
		}
		other.Close()
		c.Close()
	})
}
