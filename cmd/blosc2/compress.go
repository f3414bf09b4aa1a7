package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// compressCmd is "blosc2 compress".
type compressCmd struct {
	fileFlags
	encodingFlags
	arrayFlags
	partitionFlags
	jobsFlag
	shardFlag
	NoCheck   bool
	SelfCheck bool
	Spool     bool
	Append    bool
	Layout    string
	ChunkOnly bool
	Files     []string

	settings encoding // the settings that the flags describe
	small    smallEncoder
	given    func(flag string) bool // reports whether the command line has a flag
	begun    bool                   // an earlier input has made the frame to append to, with these flags
	warned   bool                   // the note that C-Blosc2 misreads delta was printed
}

// These are the values of --layout.
const (
	layoutCurrent = "current"
	layout2019    = "2019"
)

func (c *compressCmd) define(g *grammar) {
	c.Layout, c.Files = layoutCurrent, []string{"-"}
	letter := "" // the letter -c means --codec
	if g.longOnly {
		letter = "c"
	}
	c.fileFlags.define(g, letter)
	c.encodingFlags.define(g)
	c.arrayFlags.define(g)
	c.partitionFlags.define(g, "for the size of --chunk", "for the size of --block, of one column if that suits the data")
	c.jobsFlag.define(g)
	g.BoolVar(&c.NoCheck, "no-check", false, "Do not write digests of the chunks.")
	g.BoolVar(&c.SelfCheck, "check-output", false, "Decode each chunk after encoding it, and compare.")
	g.BoolVar(&c.Spool, "spool", false, "Buffer the frame until it is complete, so that it is sealed even in a pipe.")
	g.BoolVar(&c.Append, "append", false, "Append to the frame OUT, or rows to the array OUT, if it exists. New chunks have the settings that flags name or that are chosen from the new data; the sizes of items, chunks and blocks stay.")
	g.choice(&c.Layout, "layout", "Frame `LAYOUT`: current, or 2019 (August 2019), which C-Blosc2 no longer reads.", layoutCurrent, layout2019)
	c.shardFlag.define(g)
	g.BoolVar(&c.ChunkOnly, "chunk-only", false, "Write a bare chunk instead of a frame.")
	g.files(&c.Files, "Input files; - or none reads the standard input. A .npy file becomes an array, a .npz file a folder of arrays.")
}

// check returns an error for flags that cannot be combined.
func (c *compressCmd) check(g *grammar) error {
	if err := c.checkShapes(); err != nil {
		return err
	}
	for _, pair := range [][2]string{
		{"csv", "shape"}, {"csv", "dtype"}, {"csv", "chunk-only"}, {"chunk-only", "append"}, {"chunk-only", "layout"},
		{"chunk-only", "spool"}, {"chunk-only", "shape"}, {"chunk-only", "check-output"}, {"append", "layout"}, {"append", "spool"},
		{"chunk", "chunks"}, {"block", "blocks"},
	} {
		if g.Changed(pair[0]) && g.Changed(pair[1]) {
			return fmt.Errorf("--%s and --%s cannot be combined", pair[0], pair[1])
		}
	}
	c.given = g.given
	c.typed, c.grows = g.given("dtype") || g.given("typesize"), c.Append
	if err := c.checkShard(g); err != nil {
		return err
	}
	return c.fileFlags.check()
}

// Run compresses the files.
func (c *compressCmd) Run(e *env) error {
	settings, err := c.parse()
	if err != nil {
		return err
	}
	c.settings = *settings
	if c.shardFlag.given() {
		return c.makeShard(e)
	}
	b := &batch{fileFlags: &c.fileFlags, files: c.Files, want: raw, jobs: c.Jobs, joins: c.Append}
	b.worker = func() opener {
		own := *c // each goroutine needs its own buffers
		return func(name string) (bool, func(dest) (stream.Stats, error), error) { return own.open(e, name) }
	}
	return b.run(e)
}

// open opens an input, and reads it if it is small. An input whose beginning may be
// kept does not count as small.
func (c *compressCmd) open(e *env, name string) (small bool, rest func(dest) (stream.Stats, error), err error) {
	if _, _, ok := splitStore(name); ok {
		return false, nil, misusef("%s: is already compressed; tree extract writes it as a file, and decompress its items", publicName(name))
	}
	limit := int64(-1)
	if !c.KeepPartial && !c.isArchive(name) {
		limit = min(int64(c.Chunk), smallAlone)
		if e.many {
			limit = min(int64(c.Chunk), smallOutput)
		}
	}
	in, err := e.openHolding(name, limit, &c.small.in)
	if errors.Is(err, errIsDir) {
		err = withName(name, errFolder)
	}
	if err != nil {
		return false, nil, err
	}
	return in.held != nil, func(to dest) (stream.Stats, error) {
		defer in.File.Close()
		return c.compress(e, in, to)
	}, nil
}

// searchMin is the size, in bytes, of the largest file for which settings are searched
// only with --auto, a level, or another preset aim than the default. Such a file takes one block of a file system with any settings, and
// the search would take ten times as long as all other work.
const searchMin = 4 << 10

// tinyBlock is the size of blocks, in bytes, up to which most data do not become smaller,
// because each block takes at least 8 more bytes: its offset, and the length of a stream.
const tinyBlock = 64

// raw reports whether a file's name lacks the suffix of a compressed file. It returns
// false for the standard input.
func raw(name string) bool {
	_, ok := cutSuffix(name)
	return !ok && name != "-"
}

// compress writes the output of one input.
func (c *compressCmd) compress(e *env, in *input, to dest) (none stream.Stats, err error) {
	e.releaseSignals() // which the append of the last input holds
	enc := c.settings
	if in.name == "-" && e.isTerminal(e.stdin) && !c.Force {
		return none, misusef("the standard input is a terminal: name a FILE (see blosc2 --help), or use --force to compress what you type")
	}
	if c.isArchive(in.name) {
		return none, c.archive(e, in, to)
	}
	job := &compression{cmd: c, enc: &enc, data: in.File, suffix: frameSuffix, size: in.size, small: in.held != nil}
	enc.fit(in.info, to.out)
	enc.keep = enc.flags.orders()
	if in.info != nil && in.size <= searchMin && enc.aim == tune.Balanced && !c.given("auto") && (!c.Append || isMissing(to.out)) {
		enc.aim = 0
	}
	if err := job.prepare(e, in); err != nil {
		return none, withName(in.name, err)
	}
	if job.array != nil && e.many && to.out == "-" {
		return none, withName(in.name, errors.New("is an array, and nothing may follow an array in a stream; write to files"))
	}
	if to.out == "" && in.name != "-" && !raw(in.name) && !c.Force {
		return none, withName(in.name, fmt.Errorf("already has the suffix %s; --force compresses it again", filepath.Ext(in.name)))
	}
	if in.node && to == (dest{}) {
		return none, withName(in.name, errors.New("is not a regular file; use -o to name the output, or --stdout"))
	}
	name := to.name(compressedName(localName(in.name), job.suffix))
	if c.Append {
		name = linked(name)
	}
	appends, err := c.appends(name)
	if err == nil && c.Append && !appends && !isURL(name) { // another process may be creating it
		var held *heldLock
		if held, err = e.holdNew(name); err != nil {
			return none, withName(name, err)
		}
		defer func() { err = cmp.Or(err, held.release(e)) }()
		if appends, err = c.appends(name); appends && err == nil {
			err = held.release(e) // append takes the lock itself
		}
	}
	if err != nil {
		return none, err
	}
	if appends {
		err := job.append(e, in, name)
		return job.done, err
	}
	if isURL(name) {
		err = job.upload(e, in, name)
	} else {
		err = job.write(e, in, name)
	}
	c.begun = err == nil
	return job.done, err
}

// A compression compresses one input.
type compression struct {
	cmd    *compressCmd
	enc    *encoding
	data   io.Reader
	array  *b2nd.Spec // nil if the input is not an array
	dtype  string     // the type of items that are not an array; "" if not known
	layers []meta.Layer
	suffix string // suffix of the output's name
	size   int64  // bytes of the input, 0 if unknown
	small  bool   // the input is held in memory
	memory int64  // most bytes of chunks in flight; 0 is the default
	done   stream.Stats
	pick   tune.Pick // the last settings that were chosen from the data, if any
}

// prepare determines what the input holds, and the typesize.
func (j *compression) prepare(e *env, in *input) error {
	if j.cmd.ChunkOnly {
		j.suffix = chunkSuffix
		if j.cmd.Shape != nil {
			return misusef("--chunk-only cannot hold an array, which is a frame")
		}
	} else {
		c, err := j.cmd.content(e, in)
		if err != nil {
			return err
		}
		j.array, j.data, j.dtype, j.layers = c.array, c.data, c.dtype, c.layers
	}
	if j.array != nil {
		j.suffix = arraySuffix
		j.enc.typeSize = 1 // the array has a dtype, which determines the typesize
		if err := j.cmd.order(in.name, j.array); err != nil {
			return err
		}
		if j.cmd.Append && isMissing(j.cmd.Out) {
			j.grow()
		}
		return nil
	}
	if !j.cmd.Append || isMissing(j.cmd.Out) {
		if err := j.cmd.noShapes(); err != nil {
			return err
		}
	}
	if d, err := meta.ParseDType(j.dtype); err == nil {
		switch {
		case j.cmd.DType != "" && j.cmd.given("typesize"): // of an item, or of a record of several
			if j.enc.typeSize%d.Size != 0 {
				return sameTypeSize(in.name, j.enc.typeSize, "of --dtype, ", d)
			}
		case j.enc.typeSize == 0 || j.cmd.DType != "": // --dtype overrides a preset
			j.enc.typeSize, j.enc.items = d.Size, true
		case j.enc.typeSize%d.Size != 0: // the suffix is only a name
			e.note("%s: --typesize %d: the items are not of the type in the suffix, %s, which is not stored; --dtype stores a type", in.name, j.enc.typeSize, j.dtype)
			j.dtype = ""
		}
	}
	_, known := suffixTypeSize(in.name)
	known = known || j.enc.typeSize != 0
	var err error
	j.data, err = j.enc.typeSizeFor(in, j.data, &j.cmd.small.sizes)
	if j.cmd.Append && !known && j.enc.typeSize == 1 && !plainText(in.held) {
		j.enc.typeSize = openWidth(len(in.held))
	}
	return err
}

// noShapes returns an error if a flag has the shape of chunks or blocks, for an output that is no
// array.
func (c *compressCmd) noShapes() error {
	for _, flag := range []string{"chunks", "blocks"} {
		if c.given(flag) {
			return misusef("--%s is for arrays; --shape makes one of raw items", flag)
		}
	}
	return nil
}

// write compresses the input in, and writes the output called name.
func (j *compression) write(e *env, in *input, name string) error {
	if j.small && name != "-" {
		if err := j.writeSmall(e, in, name); err != nil {
			return err
		}
	} else if err := j.writeLarge(e, in, name); err != nil {
		return err
	}
	j.report(e, in, name)
	return nil
}

// report reports what was written to the output called name.
func (j *compression) report(e *env, in *input, name string) {
	j.warn(e, in, name)
	switch ext := filepath.Ext(name); {
	case ext == arraySuffix && j.array == nil && !j.cmd.ChunkOnly:
		e.note("%s: is a frame, not an array; for an array of raw items, use --shape=-1 --dtype TYPE", name)
	case ext == npySuffix || ext == csvSuffix:
		e.note("%s: is Blosc2 data, not a %s file; \"blosc2 decompress -o OUT%[2]s\" writes one", name, ext)
	}
	if b := j.enc.flags.Block; b > 0 && b <= tinyBlock && j.done.Bytes > 0 && j.done.Ratio() <= 1 {
		e.note("%s: nothing became smaller; blocks of %s are too small to compress most data", in.name, count(int64(b), "byte"))
	}
	if e.verbose || name != "-" && !e.many {
		where := name
		if name == "-" {
			where = "the standard output"
		}
		e.note("%s: %s to %s in %s, ratio %.2f%s", in.name, count(j.done.Bytes, "byte"), commas(j.done.Stored), where, j.done.Ratio(), j.chosen(name))
	}
}

// warn reports what the settings that flags set do to readers and to values.
func (j *compression) warn(e *env, in *input, name string) {
	if j.enc.givenUp() && j.cmd.Layout == layoutCurrent {
		e.note("%s: C-Blosc2 since 2.0 cannot read %s", name, j.enc.codec)
	}
	j.warnDelta(e, name)
	if what := j.enc.losses(); what != "" {
		e.note("%s: %s", in.name, what)
	}
}

// writeLarge writes the output while the input is read and compressed.
func (j *compression) writeLarge(e *env, in *input, name string) error {
	out, err := e.createLike(name, j.cmd.outFlags, in.info)
	if err != nil {
		return err
	}
	bar := e.newBar(in.name, in.size)
	defer bar.end()
	err = j.run(out.writer(), bar)
	if err != nil {
		good := j.done.Bytes
		if j.array != nil && isAbout(err, out.File.Name()) {
			good = 0 // an array that could not be written to its end may lack any of its rows
		}
		return e.abandon(out, in.name, good, err)
	}
	j.settle(e)
	return e.commit(out)
}

// run writes the output. If reading the input fails, it ends the frame there, so that a
// beginning that is kept is a complete frame.
func (j *compression) run(out io.Writer, bar *bar) (err error) {
	if j.cmd.ChunkOnly {
		j.done, err = compressChunk(out, j.data, j.enc)
		return err
	}
	options := j.options(bar)
	if j.cmd.Spool {
		options = append(options, stream.Spool(stream.DefaultSpool))
	}
	if j.array != nil {
		j.done, j.pick, err = compressArray(out, j.data, j.array, options, j.cmd.KeepPartial)
		return err
	}
	w, err := stream.NewWriter(out, options...)
	if err != nil {
		return err
	}
	_, err = w.ReadFrom(j.data)
	if j.cmd.KeepPartial {
		w.ClearError() // so that the valid beginning becomes a complete frame
	}
	err = cmp.Or(err, w.Close())
	j.done, j.pick = w.Stats(), w.Chosen()
	if err != nil { // bytes that were not written as part of a chunk are lost
		j.done.Bytes = min(j.done.Bytes, j.done.Chunks*int64(j.enc.flags.Chunk))
	}
	return err
}

// options returns the options of the Writer.
func (j *compression) options(bar *bar) []stream.WriterOption {
	options := append(j.enc.options(),
		stream.Workers(j.workers()),
		stream.Checks(!j.cmd.NoCheck && j.cmd.Layout == layoutCurrent),
		stream.SelfCheck(j.cmd.SelfCheck),
		stream.Progress(func(s stream.Stats) { bar.draw(s.Bytes, s.Bytes, s.Stored) }))
	if j.memory > 0 {
		options = append(options, stream.Memory(j.memory))
	}
	for _, l := range j.metalayers() {
		options = append(options, stream.Metalayer(l.Name, l.Value))
	}
	if j.cmd.Layout == layout2019 {
		options = append(options, stream.Layout2019())
	}
	return options
}

// metalayers lists the metalayers of the output: those of the content, and the type
// of the items. The layout of 2019 has none, because its readers do not support
// them.
func (j *compression) metalayers() []meta.Layer {
	if j.cmd.Layout != layoutCurrent {
		return nil
	}
	if j.dtype == "" || j.array != nil {
		return j.layers
	}
	value, err := meta.Encode(nil, j.dtype)
	if err != nil {
		return j.layers
	}
	return append(j.layers, meta.Layer{Name: meta.DTypeName, Value: value})
}

// compressChunk compresses all data to one chunk.
func compressChunk(out io.Writer, data io.Reader, encoding *encoding) (stream.Stats, error) {
	var done stream.Stats
	src, err := io.ReadAll(io.LimitReader(data, chunk.MaxBytes+1))
	if err != nil {
		return done, err
	}
	if len(src) > chunk.MaxBytes {
		return done, fmt.Errorf("more than %s bytes, the most that a chunk can hold", commas(chunk.MaxBytes))
	}
	params, err := encoding.params(src)
	if err != nil {
		return done, err
	}
	// Unlike a frame, a chunk cannot store the parameters of filters.
	params.Filters = params.Filters.Explicit(params.TypeSize)
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

// shortText sets the typesize to 1 if the data are text of at most searchMin bytes, which is
// too little to choose from. It returns a reader of all data.
func (e *encoding) shortText(data io.Reader) (io.Reader, error) {
	begin := make([]byte, searchMin+1)
	n, err := io.ReadFull(data, begin)
	if err == io.ErrUnexpectedEOF && plainText(begin[:n]) {
		e.typeSize = 1
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return io.MultiReader(bytes.NewReader(begin[:n]), data), nil
}

// typeSizeFor determines the typesize of an input from its name or a sample, unless the
// command line sets it. It returns a reader of all data of the input.
func (e *encoding) typeSizeFor(in *input, data io.Reader, g *guesser) (io.Reader, error) {
	if e.typeSize != 0 {
		return data, nil
	}
	var ok bool
	// Without a suffix, the typesize is chosen together with the other settings, unless
	// none are chosen.
	e.typeSize, ok = suffixTypeSize(in.name)
	e.items = ok
	switch {
	case ok:
		return data, nil
	case e.aim != 0 && in.size > 0:
		return data, nil
	case e.aim != 0:
		return e.shortText(data)
	}
	if in.held != nil && data == io.Reader(in.File) {
		var err error
		e.typeSize, err = g.guess(in.held[:min(len(in.held), sampleSize)])
		return data, err
	}
	sample := make([]byte, sampleSize)
	n, err := io.ReadFull(data, sample)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if e.typeSize, err = g.guess(sample[:n]); err != nil {
		return nil, err
	}
	return io.MultiReader(bytes.NewReader(sample[:n]), data), nil
}
