package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/stream"
)

// compressCmd is "blosc2 compress".
type compressCmd struct {
	outFlags
	encodingFlags
	Jobs      int    `short:"j" placeholder:"N" help:"Chunks compressed at the same time; 0: as many as there are processors."`
	NoCheck   bool   `help:"Write no digests of the chunks."`
	Spool     bool   `help:"Hold the frame back until it is whole, so that it is sealed in a pipe too."`
	ChunkOnly bool   `help:"Write one bare chunk instead of a frame."`
	File      string `arg:"" optional:"" placeholder:"FILE" help:"Input; - or none is the standard input."`
}

// Run compresses one file.
func (c *compressCmd) Run(e *env) error {
	enc, err := c.parse()
	if err != nil {
		return err
	}
	in, err := e.openInput(c.File)
	if err != nil {
		return err
	}
	defer in.File.Close()
	data, err := enc.typeSizeFor(in)
	if err != nil {
		return about(in.name, err)
	}
	name := c.Out
	if name == "" {
		name = compressedName(in.name, c.suffix())
	}
	out, err := e.create(name, c.outFlags)
	if err != nil {
		return err
	}
	var done stream.Stats
	if c.ChunkOnly {
		done, err = compressChunk(out.File, data, enc.params())
	} else {
		done, err = c.compressFrame(e, out, in, data, enc)
	}
	if err != nil {
		return e.abandon(out, in.name, done.Bytes, err)
	}
	if err := e.commit(out); err != nil {
		return err
	}
	if name != "-" {
		e.note("%s: %s bytes to %s in %s, ratio %.2f", in.name, commas(done.Bytes), commas(done.Stored), name, done.Ratio())
	}
	return nil
}

func (c *compressCmd) suffix() string {
	if c.ChunkOnly {
		return chunkSuffix
	}
	return frameSuffix
}

// compressFrame copies data into a frame. After an error of the input the
// frame is ended where the input ended, so that what is kept is whole.
func (c *compressCmd) compressFrame(e *env, out *output, in *input, data io.Reader, enc *encoding) (stream.Stats, error) {
	bar := e.newBar(in.name, in.size)
	defer bar.end()
	options := append(enc.options(),
		stream.Workers(c.Jobs),
		stream.Checks(!c.NoCheck),

		stream.Progress(func(s stream.Stats) { bar.at(s.Bytes) }))
	if c.Spool {
		options = append(options, stream.Spool(stream.DefaultSpool))
	}
	w, err := stream.NewWriter(out.File, options...)
	if err != nil {
		return stream.Stats{}, err
	}
	_, err = w.ReadFrom(data)
	if errClose := w.Close(); err == nil {
		err = errClose
	}
	return w.Stats(), err
}

// compressChunk makes one chunk of all data.
func compressChunk(out io.Writer, data io.Reader, params chunk.Params) (stream.Stats, error) {
	var done stream.Stats
	src, err := io.ReadAll(io.LimitReader(data, chunk.MaxBytes+1))
	if err != nil {
		return done, err
	}
	if len(src) > chunk.MaxBytes {
		return done, fmt.Errorf("more than the %s bytes that one chunk can hold", commas(chunk.MaxBytes))
	}
	enc, err := chunk.NewEncoder(params)
	if err != nil {
		return done, err
	}
	c, err := enc.Encode(nil, src)
	if err != nil {
		return done, err
	}
	if _, err := out.Write(c); err != nil {
		return done, err
	}
	return stream.Stats{Bytes: int64(len(src)), Stored: int64(len(c)), Chunks: 1}, nil
}

// typeSizeFor settles the typesize for an input if the command line did not:
// from its name, or from a sample. It returns the whole of the input's data.
func (e *encoding) typeSizeFor(in *input) (io.Reader, error) {
	if e.typeSize != 0 {
		return in.File, nil
	}
	var ok bool
	if e.typeSize, ok = suffixTypeSize(in.name); ok {
		return in.File, nil
	}
	sample := make([]byte, sampleSize)
	n, err := io.ReadFull(in.File, sample)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if e.typeSize, err = guessTypeSize(sample[:n]); err != nil {
		return nil, err
	}
	return io.MultiReader(bytes.NewReader(sample[:n]), in.File), nil
}
