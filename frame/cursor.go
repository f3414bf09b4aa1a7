package frame

// A Cursor gives the chunks of a frame in logical order, as the index has
// them. It belongs to one goroutine.
type Cursor struct {
	f *Reader
	n int64
}

// Cursor starts at chunk n.
func (f *Reader) Cursor(n int64) *Cursor { return &Cursor{f, max(n, 0)} }

// Next gives the next chunk. Its bytes are read into buf where they fit with
// RecordLen bytes to spare, else into a new buffer. Behind the last one the
// error is io.EOF, or io.ErrUnexpectedEOF where the frame is torn.
func (c *Cursor) Next(buf []byte) (Item, error) {
	if c.n >= c.f.NumChunks() {
		return Item{}, c.f.end
	}
	it, err := c.f.fetch(buf, c.n)
	if err == nil {
		c.n++
	}
	return it, err
}
