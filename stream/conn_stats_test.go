package stream_test

import (
	"net"
	"testing"
	"testing/synctest"

	"github.com/seed03b80dae/blosc2/stream"
)

// Stats returns while a Write is blocked, and so never keeps Close from sending
// what is collected.
func TestConnStatsDuringWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		raw, other := net.Pipe()
		c, err := stream.NewConn(raw)
		must(t, err)
		go c.Write(make([]byte, 100)) // nothing reads
		synctest.Wait()
		if sent, received := c.Stats(); sent.Chunks != 0 || received != (stream.Stats{}) {
			t.Errorf("%+v and %+v before a call has ended", sent, received)
		}
		other.Close()
		c.Close()
	})
}
