package stream

import (
	"context"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A cursor returns the chunks of a frame in order, beginning with chunk n.
type cursor struct {
	f     *frame.Reader
	n     int64
	ahead framing.Lookahead // nil until readAhead is called
}

// readAhead fetches chunks of a remote source in advance, until ctx is
// cancelled or the cursor is closed.
func (c *cursor) readAhead(ctx context.Context) {
	c.close()
	c.ahead = framing.ReadChunksAhead(ctx, c.f, c.n)
}

func (c *cursor) close() {
	if c.ahead != nil {
		c.ahead.Close()
		c.ahead = nil
	}
}

// next returns the next chunk, as frame.Reader.Item does.
func (c *cursor) next(buf []byte) (it frame.Item, err error) {
	if c.ahead != nil && c.n < c.f.NumChunks() {
		if err := c.ahead.Step(); err != nil {
			return it, err
		}
	}
	if it, err = c.f.Item(buf, c.n); err == nil {
		c.n++
	}
	return it, err
}
