package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// append appends data to the frame called name. The settings of new chunks are chosen as for
// a new frame, except for the size of items. After an error the frame is as before, unless the
// data cannot be read again. A file that holds nothing is written as a new one.
func (j *compression) append(e *env, in *input, name string) error {
	bar := e.newBar(in.name, in.size)
	defer bar.end()
	c, err := e.openChange(name)
	if err != nil {
		return withName(name, err)
	}
	if c.isInput(in) {
		return e.giveUp(c, in.name, inputError{errors.New("is also the output")})
	}
	if empty, err := c.empty(); err != nil {
		return e.giveUp(c, in.name, err)
	} else if empty {
		return j.fill(e, in, c, bar)
	}
	if j.keeps(in) {
		c.keepAll()
	}
	options, array, err := j.appendOptions(e, in, name)
	switch {
	case err != nil:
	case array && j.array == nil:
		err = errors.New("is an array; the input must be one too: a .npy file, or bytes with --shape")
	case !array && j.array != nil:
		err = errors.New("is not an array; an array can be appended only to an array")
	}
	if err != nil {
		return e.giveUp(c, in.name, err)
	}
	options = append(options, stream.Workers(j.cmd.workers()), stream.SelfCheck(j.cmd.SelfCheck), bar.written())
	if array {
		return j.appendRows(e, in, c, options, bar)
	}
	w, err := continueFrame(c, options)
	if err != nil {
		return e.giveUp(c, in.name, err)
	}
	if lost := w.Lost(); lost != nil {
		e.note("%s: %v; the new data follow what is intact before it", name, lost)
	}
	a := &adder{w: w, held: frameSize, had: w.Offset(), unit: "byte", keep: func() error {
		w.ClearError()
		return w.Close()
	}}
	n, err := w.ReadFrom(asInput(j.data))
	if err := e.endChange(c, a, in.name, err); err != nil {
		return err
	}
	bar.end()
	j.warn(e, in, name)
	j.done, j.pick = w.Stats(), w.Chosen()
	how := fmt.Sprintf(" (%v)", j.pick)
	if j.pick.Ratio > 0 {
		how = j.chosen(name)
	}
	e.note("%s: %s appended to %s%s", in.name, count(n, "byte"), name, how)
	e.noteWithin(name)
	return nil
}

// continueFrame returns a Writer that continues the frame in c.
func continueFrame(c *change, options []stream.WriterOption) (*stream.Writer, error) {
	n, err := c.length()
	if err != nil {
		return nil, err
	}
	w, err := stream.Append(c, n, options...)
	if !errors.Is(err, blosc2.ErrUnsupported) {
		return w, err
	}
	if f, errOpen := frame.Open(c, n); errOpen == nil && isLossy(f.Header()) {
		return nil, errors.New("ends with a part of a chunk, which would be compressed again with a lossy filter or codec; append to another file")
	}
	return nil, err
}

// fill writes a new frame to the empty file of c. After an error the file is as before, unless
// a complete frame of what the input held is to be kept.
func (j *compression) fill(e *env, in *input, c *change, bar *bar) error {
	j.grow()
	j.data = asInput(j.data)
	if err := j.run(c.new(), bar); err != nil {
		if !isAbout(err, c.name) { // reading failed, not writing
			err = inputError{err}
			if j.cmd.KeepPartial {
				c.keepAll()
			}
		}
		return e.giveUp(c, in.name, err)
	}
	e.settle(c)
	bar.end()
	j.report(e, in, c.name)
	return withName(c.name, errors.Join(c.inPlace(), c.close()))
}

// settle makes signals wait until the output is reported, if the same command would append the
// data once more.
func (j *compression) settle(e *env) {
	if j.cmd.Append {
		e.holdSignals()
	}
}

// frameSize returns the number of bytes that a frame holds.
func frameSize(name string) (int64, error) {
	f, err := frame.OpenFile(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.Size(), nil
}

// keeps reports whether data that were appended before an error or an interrupt stay, because
// they cannot be read again.
func (j *compression) keeps(in *input) bool {
	info, err := in.File.Stat()
	return j.cmd.KeepPartial || err == nil && !info.Mode().IsRegular()
}

// noteWithin reports that a frame ends within an item, because items that are appended to
// it are misread.
func (e *env) noteWithin(name string) {
	f, err := frame.OpenFile(name)
	if err != nil {
		return
	}
	defer f.Close()
	d, err := parseDType(dtypeOf(f.Reader))
	if err == nil && d.Size > 0 {
		if rest := f.Size() % int64(d.Size); rest > 0 {
			e.note("%s: ends with %s of an item of %s; items that are appended now will be misread", name, count(rest, "byte"), d)
		}
		return
	}
	size := int64(f.Header().TypeSize) // perhaps that of the items, perhaps only the best to compress them
	if rest := f.Size() % max(size, 1); rest > 0 {
		e.note("%s: ends with %s of an item of %s; if its items have that size, those that are appended now will be misread", name, count(rest, "byte"), count(size, "byte"))
	}
}

// appendOptions returns the options for the chunks that are appended to a frame, and
// reports whether the frame is an array, to which raw bytes cannot be appended. It returns
// an error if a flag contradicts what the frame fixes, or if the frame's items have another
// type than the data.
func (j *compression) appendOptions(e *env, in *input, name string) (options []stream.WriterOption, array bool, err error) {
	f, err := frame.OpenFile(name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if array = isArray(f.Metalayers()); array && f.Lost() != nil {
		return nil, true, advise(name, f.Lost())
	}
	if !j.cmd.begun {
		if err := j.fits(f.Reader, array); err != nil {
			return nil, false, err
		}
	}
	if has := dtypeOf(f.Reader); has != "" && j.dtype != "" && has != j.dtype {
		return nil, false, fmt.Errorf("has items of type %s, not %s; --dtype sets the type of the input", has, j.dtype)
	}
	h := f.Header()
	if d, err := meta.ParseDType(j.dtype); err == nil && int(h.TypeSize) < d.Size {
		e.note("%s: has items of %s, so %s, with items of %s, is compressed less well", name, count(int64(h.TypeSize), "byte"), in.name, count(int64(d.Size), "byte"))
	}
	return j.newChunks(h), array, nil
}

// newChunks returns the options for the settings of the chunks that are appended to the
// frame with header h. The settings of a lossy frame are kept if no flag sets others.
func (j *compression) newChunks(h *header.Header) []stream.WriterOption {
	enc := j.cmd.settings // a search of few bytes is left to Auto
	j.enc = &enc
	keep, options := enc.keep&^tune.KeepBlockSize, []stream.WriterOption{stream.Legacy()}
	switch {
	case isLossy(h) && enc.flags.Auto == "" && keep&(tune.KeepCodec|tune.KeepFilters) == 0:
		enc.codec, enc.meta, enc.filters = h.Codec, h.CodecMeta, h.Filters
	case enc.aim == 0:
		keep = tune.KeepCodec | tune.KeepLevel | tune.KeepFilters | tune.KeepSplit
	default:
		options = append(options, stream.Auto(enc.aim))
	}
	return append(options, enc.given(keep)...)
}

// isLossy reports whether chunks with the settings of h may lose precision. It counts ndlz, too,
// so that a choice of settings does not replace it.
func isLossy(h *header.Header) bool { return h.Filters.Lossy() || h.Codec >= blosc2.CodecNDLZ }

// fits returns an error if a flag contradicts what the frame fixes for all its chunks.
func (j *compression) fits(f *frame.Reader, array bool) error {
	h, given := f.Header(), j.cmd.given
	kind := "frame"
	if array {
		kind = "array"
	}
	var chunks, blocks []int64
	if array {
		a, err := b2nd.FromFrame(f)
		if err != nil {
			return err
		}
		chunks, blocks = a.ChunkShape(), a.BlockShape()
	} else if err := j.cmd.noShapes(); err != nil {
		return err
	}
	for _, s := range []struct {
		flag       string
		fixed      bool
		have, want any
	}{
		{"chunks", array, shapeText(chunks), shapeText(j.cmd.Chunks)},
		{"blocks", array, shapeText(blocks), shapeText(j.cmd.Blocks)},
		{"chunk", !array && !sameChunk(h, j.cmd.Chunk) || array && !near(h.ChunkSize, j.cmd.Chunk), int64(h.ChunkSize), int64(j.cmd.Chunk)},
		{"block", !array || !near(h.BlockSize, j.cmd.Block), int64(h.BlockSize), int64(j.cmd.Block)},
		{"for-store", true, sameChunk(h, stream.StoreChunkSize), j.cmd.ForStore},
		{"no-check", true, !f.Checked(), j.cmd.NoCheck},
		{"typesize", j.array == nil, int(h.TypeSize), j.enc.typeSize},
	} {
		if s.fixed && given(s.flag) && s.have != s.want {
			return misusef("--append keeps --%s of the %s: %v, not %v", s.flag, kind, s.have, s.want)
		}
	}
	return nil
}

// openWidth returns a size of items for a frame that begins with n bytes that do not show
// one, and to which others will be appended: up to 8 bytes, of which n bytes are a multiple.
// Filters for wide items suit narrow ones better than the reverse.
func openWidth(n int) int {
	width := 8
	for n%width != 0 {
		width /= 2
	}
	return width
}

// appends reports whether the output exists and data is to be appended to it.
func (c *compressCmd) appends(name string) (bool, error) {
	if !c.Append {
		return false, nil
	}
	if c.ChunkOnly || c.Layout != layoutCurrent {
		return false, misusef("--append requires the current layout")
	}
	if name == "-" {
		return false, misusef("--append: -o must name the frame")
	}
	if isSparse(c.Out) {
		return false, withName(c.Out, errors.New("is a sparse frame, to which --append cannot add; compress to a file"))
	}
	_, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return true, withName(name, err)
}

// linked returns the name of the file that a name leads to. If that is a symbolic link to a
// file that does not exist yet, it is the name of this file.
func linked(name string) string {
	for range 40 { // as many as Linux follows
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return name
}

// sameChunk reports whether the chunks of a frame have the given size, which was reduced to a
// multiple of the typesize.
func sameChunk(h *header.Header, given size) bool {
	return int64(h.ChunkSize) == int64(given)-int64(given)%max(int64(h.TypeSize), 1)
}

// near reports whether the chunks or blocks of an array may be those that were chosen for the
// given size.
func near(have int32, given size) bool {
	return int64(have) <= int64(given) && 2*int64(have) > int64(given)
}

// shapeText formats a shape as the value of a flag.
func shapeText(shape []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", ",")
}
