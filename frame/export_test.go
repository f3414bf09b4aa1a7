package frame

// Note counts a chunk of any kind. AddChunk rejects special chunks.
func (b *Builder) Note(nbytes, cbytes int) error { return b.note(nbytes, cbytes) }

// WriteHeader writes a header over that of a frame, as a commit does.
var WriteHeader = writeHeader

// The following functions let tests use what otherwise only package stream uses: see
// internal/framing.
type Log = chunkLog

var AppendLog = appendLog

// A Cursor returns the chunks of a frame in order, as package stream reads them.
type Cursor struct {
	F *Reader
	N int64
}

func (f *Reader) Cursor(n int64) *Cursor { return &Cursor{F: f, N: n} }

func (c *Cursor) Next(buf []byte) (Item, error) {
	it, err := c.F.Item(buf, c.N)
	if err == nil {
		c.N++
	}
	return it, err
}
