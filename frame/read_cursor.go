package frame

import "context"

// A Cursor returns the chunks of a frame in logical order, as the index has
// them. It belongs to one goroutine.
type Cursor struct {
	f *Reader
	n int64

	ahead *Lookahead
}

// Cursor starts at chunk n.
func (f *Reader) Cursor(n int64) *Cursor { return &Cursor{f: f, n: max(n, 0)} }

// ReadAhead makes the Cursor fetch chunks of a source that is far away before
// they are asked for, until ctx is cancelled. The Cursor must be closed then.
func (c *Cursor) ReadAhead(ctx context.Context) {
	c.Close()
	c.ahead = c.f.inOrder(ctx, c.n)
}

// Close ends ReadAhead. It does nothing without that.
func (c *Cursor) Close() {
	c.ahead.Close()
	c.ahead = nil
}

// Next returns the next chunk. Its bytes are read into buf where they fit with
// recordLen bytes to spare, else into a new buffer. After the last one the
// error is io.EOF, or io.ErrUnexpectedEOF where the frame is torn.
func (c *Cursor) Next(buf []byte) (Item, error) {
	if c.n >= c.f.NumChunks() {
		return Item{}, c.f.end
	}
	if err := c.ahead.Step(); err != nil {
		return Item{}, err
	}
	it, err := c.f.fetch(buf, c.n)
	if err == nil {
		c.n++
	}
	return it, err
}
