package main

import (
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/stream"
)

// decompressCmd is "blosc2 decompress".
type decompressCmd struct {
	outFlags
	jobsFlag
	Raw    bool
	Limit  size
	Offset size
	File   string
}

func (c *decompressCmd) define(g *grammar) {
	c.File = "-"
	c.outFlags.define(g)
	c.jobsFlag.define(g)
	g.BoolVar(&c.Raw, "raw", false, "Of an array, write its bytes in C order instead of a .npy file.")
	g.bytes(&c.Limit, "limit", "Fail where there is more output than `SIZE` bytes.")
	g.bytes(&c.Offset, "offset", "The frame begins `N` bytes into the file.")
	g.optional(&c.File, "FILE", "Frame, array, chunk, or folder of a sparse frame; - or none is the standard input.")
}

// Run decompresses one file.
func (c *decompressCmd) Run(e *env) error {
	if _, err := decompressedName(c.File, ""); err != nil && c.Out == "" {
		return err
	}
	src, err := e.openSource(c.File, int64(c.Offset))
	if err != nil {
		return err
	}
	defer src.Close()
	name := c.Out
	if name == "" {
		add := ""
		if src.kind == kindArray && !c.Raw {
			add = npySuffix
		}
		if name, err = decompressedName(c.File, add); err != nil {
			return err
		}
	}
	out, err := e.create(name, c.outFlags)
	if err != nil {
		return err
	}
	bar := e.newBar(src.in.name, src.in.size)
	good := &counter{Writer: out.writer(), limit: int64(c.Limit)}
	err = c.decompress(good, src, bar)
	bar.end()
	if err != nil {
		return e.abandon(out, src.in.name, good.n, err)
	}
	if err := e.commit(out); err != nil {
		return err
	}
	if src.trailing {
		e.note("%s: more stands behind the last frame; it was ignored", src.in.name)
	}
	return nil
}

// decompress writes what src holds; all that it writes is good.
func (c *decompressCmd) decompress(w io.Writer, src *source, bar *bar) error {
	switch {
	case src.kind == kindChunk:
		return decompressChunk(w, src.Reader)
	case src.kind == kindArray:
		return decompressArray(w, src.target.frame, c.Raw, c.workers())
	}
	r, err := c.reader(src, stream.Workers(c.workers()), bar.progress())
	if err != nil {
		return err
	}
	defer r.Close()
	if _, err = r.WriteTo(w); err != nil {
		return err
	}
	if rest := r.Trailing(); rest != nil {
		n, _ := rest.Read(make([]byte, 1))
		src.trailing = n > 0
	}
	return nil
}

func (c *decompressCmd) reader(src *source, opts ...stream.ReaderOption) (*stream.Reader, error) {
	if src.target != nil {
		return stream.NewFrameReader(src.target.frame, opts...)
	}
	return stream.NewReader(src.Reader, opts...)
}

// decompressChunk decodes a bare chunk, and refuses to guess about what stands
// behind it.
func decompressChunk(w io.Writer, src io.Reader) error {
	c, err := io.ReadAll(io.LimitReader(src, chunk.MaxBytes+chunk.Overhead+1))
	if err != nil {
		return err
	}
	h, err := chunk.ParseHeader(c)
	if err != nil {
		return err
	}
	if len(c) > h.CBytes {
		return fmt.Errorf("%s bytes behind the chunk of %s", commas(int64(len(c)-h.CBytes)), commas(int64(h.CBytes)))
	}
	var dec chunk.Decoder
	dst, err := dec.Decode(nil, c)
	if err != nil {
		return err
	}
	_, err = w.Write(dst)
	return err
}

// A counter counts the bytes that were written, and refuses to go beyond a limit
// where there is one.
type counter struct {
	io.Writer
	n, limit int64
}

// Write writes and counts.
func (c *counter) Write(b []byte) (int, error) {
	if c.limit > 0 && c.n+int64(len(b)) > c.limit {
		return 0, fmt.Errorf("%w: more than %s bytes, the limit", blosc2.ErrTooLarge, commas(c.limit))
	}
	n, err := c.Writer.Write(b)
	c.n += int64(n)
	return n, err
}
