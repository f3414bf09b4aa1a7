package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/stream"
)

// compressCmd is "blosc2 compress".
type compressCmd struct {
	outFlags
	encodingFlags
	arrayFlags
	jobsFlag
	NoCheck   bool
	Spool     bool
	Append    bool
	Layout    string
	ChunkOnly bool
	File      string
}

// The values of --layout.
const (
	layoutCurrent = "current"
	layout2019    = "2019"
)

func (c *compressCmd) define(g *grammar) {
	c.Layout, c.File = layoutCurrent, "-"
	c.outFlags.define(g)
	c.encodingFlags.define(g)
	c.arrayFlags.define(g)
	c.jobsFlag.define(g)
	g.BoolVar(&c.NoCheck, "no-check", false, "Write no digests of the chunks.")
	g.BoolVar(&c.Spool, "spool", false, "Hold the frame back until it is whole, so that it is sealed in a pipe too.")
	g.BoolVar(&c.Append, "append", false, "Add to the frame OUT, or rows to the array OUT, with its parameters, if it exists.")
	g.choice(&c.Layout, "layout", "Frame `LAYOUT`: current, or 2019 (August 2019), which C-Blosc2 reads no more.", layoutCurrent, layout2019)
	g.BoolVar(&c.ChunkOnly, "chunk-only", false, "Write one bare chunk instead of a frame.")
	g.optional(&c.File, "FILE", "Input; - or none is the standard input. A .npy file becomes an array, a .npz file a folder of arrays.")
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
	if c.isArchive(in.name) {
		return c.archive(e, in)
	}
	job := &compression{cmd: c, enc: enc, data: in.File, suffix: frameSuffix}
	if err := job.prepare(in); err != nil {
		return about(in.name, err)
	}
	name := c.Out
	if name == "" {
		name = compressedName(in.name, job.suffix)
	}
	if appends, err := c.appends(name); err != nil || appends {
		if err != nil {
			return err
		}
		return job.append(e, in, name)
	}
	return job.write(e, in, name)
}

// A compression is one run of compress.
type compression struct {
	cmd    *compressCmd
	enc    *encoding
	data   io.Reader
	array  *b2nd.Spec // nil if it is none
	suffix string     // of the output's name
	done   stream.Stats
}

// prepare settles what the input is and the typesize.
func (j *compression) prepare(in *input) error {
	if j.cmd.ChunkOnly {
		j.suffix = chunkSuffix
		if j.cmd.Shape != nil {
			return misusef("--chunk-only and --shape: an array is a frame")
		}
	} else {
		var err error
		if j.array, j.data, err = j.cmd.spec(in.name, in.File); err != nil {
			return err
		}
	}
	if j.array != nil {
		j.suffix = arraySuffix
		j.enc.typeSize = 1 // the array has its own
		return nil
	}
	var err error
	j.data, err = j.enc.typeSizeFor(in)
	return err
}

// write makes the output name of what the input in holds.
func (j *compression) write(e *env, in *input, name string) error {
	out, err := e.create(name, j.cmd.outFlags)
	if err != nil {
		return err
	}
	bar := e.newBar(in.name, in.size)
	err = j.run(out, bar)
	bar.end()
	if err != nil {
		return e.abandon(out, in.name, j.done.Bytes, err)
	}
	if err := e.commit(out); err != nil {
		return err
	}
	if j.enc.givenUp() && j.cmd.Layout == layoutCurrent {
		e.note("%s: C-Blosc2 since 2.0 cannot read %s", name, j.enc.codec)
	}
	if name != "-" {
		e.note("%s: %s bytes to %s in %s, ratio %.2f", in.name, commas(j.done.Bytes), commas(j.done.Stored), name, j.done.Ratio())
	}
	return nil
}

// run makes the output. After an error of the input the frame is ended where
// the input ended, so that what is kept is whole.
func (j *compression) run(out *output, bar *bar) (err error) {
	if j.cmd.ChunkOnly {
		j.done, err = compressChunk(out.File, j.data, j.enc)
		return err
	}
	options := append(j.enc.options(),
		stream.Workers(j.cmd.workers()),
		stream.Checks(!j.cmd.NoCheck),
		stream.Progress(func(s stream.Stats) { bar.at(s.Bytes) }))
	if j.cmd.Layout == layout2019 {
		options = append(options, stream.Layout2019())
	}
	if j.cmd.Spool {
		options = append(options, stream.Spool(stream.DefaultSpool))
	}
	if j.array != nil {
		j.done, err = compressArray(out, j.data, j.array, options, j.cmd.KeepPartial)
		return err
	}
	w, err := stream.NewWriter(out.writer(), options...)
	if err != nil {
		return err
	}
	_, err = w.ReadFrom(j.data)
	if errClose := w.Close(); err == nil {
		err = errClose
	}
	j.done = w.Stats()
	if err != nil { // bytes that did not get into a chunk are lost
		j.done.Bytes = min(j.done.Bytes, j.done.Chunks*int64(j.cmd.Chunk))
	}
	return err
}

// compressChunk makes one chunk of all data.
func compressChunk(out io.Writer, data io.Reader, encoding *encoding) (stream.Stats, error) {
	var done stream.Stats
	src, err := io.ReadAll(io.LimitReader(data, chunk.MaxBytes+1))
	if err != nil {
		return done, err
	}
	if len(src) > chunk.MaxBytes {
		return done, fmt.Errorf("more than the %s bytes that one chunk can hold", commas(chunk.MaxBytes))
	}
	params, err := encoding.params(src)
	if err != nil {
		return done, err
	}
	params.Filters = params.Filters.Explicit(params.TypeSize) // there is no frame to look things up in
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
