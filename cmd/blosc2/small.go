package main

import (
	"io"

	"github.com/seed03b80dae/blosc2/stream"
)

// A smallWriter compresses many files of at most a chunk each with one Writer.
// Creating a Writer for each would take longer than compressing them.
type smallWriter struct {
	*stream.Writer
	typeSize int
	dtype    string
}

// writer returns a Writer to w with the options. It reuses the last one if this
// file and the one before it are small and have the same settings.
func (j *compression) writer(w io.Writer, options []stream.WriterOption) (*stream.Writer, error) {
	last := &j.cmd.last
	if !j.small {
		return stream.NewWriter(w, options...)
	}
	if last.Writer != nil && last.typeSize == j.enc.typeSize && last.dtype == j.dtype && len(j.layers) == 0 {
		return last.Writer, last.Reset(w)
	}
	sw, err := stream.NewWriter(w, options...)
	if err == nil && len(j.layers) == 0 {
		*last = smallWriter{sw, j.enc.typeSize, j.dtype}
	}
	return sw, err
}

// progress returns the option that draws the bar. A Writer that is reused has none.
func (j *compression) progress(b *bar) func(stream.Stats) {
	if j.small {
		return nil
	}
	return func(s stream.Stats) { b.draw(s.Bytes, s.Bytes, s.Stored) }
}

// workers returns the number of workers for the input: one for a single chunk.
func (j *compression) workers() int {
	if j.small {
		return 1
	}
	return j.cmd.workers()
}

// reader returns a Reader of src. It reuses the last one if this file and the one
// before it are small.
func (c *decompressCmd) reader(src *source, bar *bar) (*stream.Reader, error) {
	options := []stream.ReaderOption{stream.Workers(c.workers()), bar.read()}
	if c.Trailing {
		options = append(options, stream.AllowTrailing())
	}
	if src.target != nil {
		return stream.FromFrame(src.target.frame, options...)
	}
	if src.in.info == nil || src.in.size > smallFrame || c.Trailing {
		return stream.NewReader(src.Reader, options...)
	}
	if c.last != nil {
		return c.last, c.last.Reset(src.Reader)
	}
	var err error
	c.last, err = stream.NewReader(src.Reader, stream.Workers(1))
	return c.last, err
}

// smallFrame is the length of a file up to which one worker is fastest.
const smallFrame = 256 << 10
