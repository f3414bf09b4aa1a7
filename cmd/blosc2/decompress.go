package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/npy"
	"github.com/seed03b80dae/blosc2/stream"
)

// decompressCmd is "blosc2 decompress".
type decompressCmd struct {
	fileFlags
	jobsFlag
	decompressFlags
	Files []string

	last *stream.Reader // the Reader of the previous small file
}

// decompressFlags are the flags for decompression only.
type decompressFlags struct {
	DType    string
	Raw      bool
	Trailing bool
	Follow   bool
	Limit    size
	Offset   size
}

func (c *decompressCmd) define(g *grammar) {
	c.Files = []string{"-"}
	c.fileFlags.define(g, "c")
	c.jobsFlag.define(g)
	c.decompressFlags.define(g)
	g.files(&c.Files, "Frames, arrays, chunks, or folders of sparse frames; - or none reads the standard input.")
}

// check returns an error for flags that cannot be combined.
func (c *decompressCmd) check(*grammar) error { return c.fileFlags.check() }

func (c *decompressFlags) define(g *grammar) {
	if g.Lookup("dtype") == nil {
		g.StringVar(&c.DType, "dtype", "", "NumPy `TYPE` of the items for a .npy output, if the file does not store it.")
	}
	g.BoolVar(&c.Raw, "raw", false, "Write the bytes of an array in C order instead of a .npy file.")
	g.BoolVar(&c.Trailing, "allow-trailing", false, "Ignore bytes after the last frame instead of failing.")
	g.BoolVar(&c.Follow, "follow", false, followHelp)
	g.bytes(&c.Limit, "limit", "Fail if the output exceeds `SIZE` bytes.")
	g.bytes(&c.Offset, "offset", "Read the frame or chunk that begins `N` bytes into the file, such as a chunk in a shard of Zarr.")
}

// Run decompresses the files.
func (c *decompressCmd) Run(e *env) error {
	if c.Follow {
		return c.follow(e)
	}
	b := &batch{fileFlags: &c.fileFlags, files: c.Files, jobs: c.Jobs, want: func(name string) bool { return !raw(name) }}
	b.worker = func() opener {
		own := *c // each goroutine needs its own Reader
		return func(name string) (bool, func(dest) (stream.Stats, error), error) {
			info, err := os.Stat(name)
			small := err == nil && info.Mode().IsRegular() && info.Size() <= smallFrame
			return small, func(to dest) (stream.Stats, error) { return own.one(e, name, to) }, nil
		}
	}
	return b.run(e)
}

// smallFrame is the length of a small file, in bytes. One worker decompresses such a
// file fastest, so several are decompressed at a time.
const smallFrame = 256 << 10

// reader returns a Reader of src. It reuses the last one if both this file and the
// previous one are small.
func (c *decompressCmd) reader(src *source, bar *bar) (*stream.Reader, error) {
	options := []stream.ReaderOption{stream.Workers(c.workers()), bar.expanded()}
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

// one decompresses one file.
func (c *decompressCmd) one(e *env, file string, to dest) (none stream.Stats, err error) {
	if file != "-" && isFolderOfArrays(file) {
		return c.restore(e, file, to)
	}
	member, err := memberName(file)
	if err != nil {
		return none, err
	}
	if _, err := decompressedName(localName(file), ""); err != nil && to.out == "" && member == "" {
		if isURL(file) {
			return none, err
		}
		switch info, errStat := os.Stat(file); {
		case errors.Is(errStat, fs.ErrNotExist):
			return none, withName(file, errStat)
		case errStat == nil && info.IsDir() && !isSparse(file):
			return none, withName(file, errNotSparse)
		}
		return none, err
	}
	if file == "-" && e.isTerminal(e.stdin) && !c.Force {
		return none, errTyped
	}
	src, err := e.openSource(file, int64(c.Offset))
	if src != nil {
		defer src.Close()
	}
	if errors.Is(err, errKind) && c.Force && to.out == "-" { // as zcat -f does
		n, err := io.Copy(e.stdout, src.Reader)
		return stream.Stats{Bytes: n, Stored: n}, err
	}
	if err != nil {
		return none, err
	}
	if c.Remove {
		if err := src.written(); err != nil {
			return none, withName(src.in.name, err)
		}
	}
	add := src.suffix(c.Raw)
	name := to.out
	if name == "" {
		beside, err := member+add, error(nil)
		if member == "" {
			beside, err = decompressedName(localName(file), add)
		}
		if err != nil {
			return none, err
		}
		name = to.name(beside)
	}
	out, err := e.createLike(name, c.outFlags, src.in.info)
	if err != nil {
		return none, err
	}
	good := &counter{Writer: out.sparseWriter(), limit: int64(c.Limit)}
	total := src.in.size
	if src.kind == kindArray { // the output shows its progress
		total = src.target.frame.Size()
	}
	bar := e.newBar(src.in.name, total)
	defer bar.end()
	if src.kind == kindArray {
		good.watch = bar.add
	}
	var sink io.Writer = good
	if out.final != "" {
		sink = patcher{good, out.File}
	}
	err = c.decompress(sink, src, name, bar)
	if err != nil {
		err = src.unfinished(err)
		return none, e.abandon(out, src.in.name, good.n, err)
	}
	if err := e.commit(out); err != nil {
		return none, err
	}
	switch {
	case src.trailing && c.Remove:
		return none, withName(src.in.name, errors.New("more bytes follow the last frame; they were ignored, and the file is not removed"))
	case src.trailing:
		e.note("%s: more bytes follow the last frame; they were ignored", src.in.name)
	}
	if src.target != nil && src.target.frame.Open() {
		e.note("%s: its writer is active or has died; this is what it had flushed", src.in.name)
	}
	if name != "-" && (!e.many || e.verbose) {
		e.note("%s: %s in %s", src.in.name, count(good.n, "byte"), name)
	}
	return stream.Stats{Bytes: good.n, Stored: src.in.size}, nil
}

// memberName returns the last part of the key of a leaf of a store. The output has this
// name, with a suffix. For any other file memberName returns "".
func memberName(file string) (string, error) {
	store, key, ok := splitStore(file)
	if _, err := os.Stat(localName(file)); !ok && !isURL(file) && errors.Is(err, fs.ErrNotExist) {
		return "", nil // opening it returns the error
	}
	switch {
	case ok && key == "/", !ok && file != "-" && isStore(file) && !isSparse(file):
		return "", misusef("%s: is a store; tree extract writes its contents as files", publicName(store))
	case !ok:
		return "", nil
	}
	return path.Base(key), nil
}

// decompress writes the data of src. After an error, everything that it wrote is valid.
func (c *decompressCmd) decompress(w io.Writer, src *source, name string, bar *bar) error {
	switch {
	case src.kind == kindChunk && c.asNPY(name) && c.DType != "":
		return c.itemsOf(w, "", func(w io.Writer) error { return c.chunk(w, src) })
	case src.kind == kindChunk:
		return c.chunk(w, src)
	case src.kind == kindArray:
		err := c.array(w, src.target, name)
		if err == nil {
			err = src.target.trailing()
		}
		if c.Trailing && errors.Is(err, blosc2.ErrTrailing) {
			src.trailing, err = true, nil
		}
		return err
	}
	tensor, err := src.meaning()
	if err != nil {
		return err
	}
	r, err := c.reader(src, bar)
	if err != nil {
		return err
	}
	defer r.Close()
	if c.asNPY(name) && tensor != nil {
		h := npy.Header{DType: tensor.dtype.String(), Shape: tensor.shape}
		b, err := h.Append(nil)
		if err == nil {
			_, err = w.Write(b)
		}
		if err == nil {
			_, err = r.WriteTo(w)
		}
		if err != nil {
			return err
		}
	} else if dtype := cmp.Or(c.DType, dtypeOfStream(r)); c.asCSV(name) && dtype != "" {
		err = rowsOf(w, dtype, func(w io.Writer) error { _, err := r.WriteTo(w); return err })
	} else if c.asNPY(name) {
		err = c.itemsOf(w, dtypeOfStream(r), func(w io.Writer) error { _, err := r.WriteTo(w); return err })
	} else {
		var n int64
		n, err = r.WriteTo(w)
		if src.flushed(n) && errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil
		}
		if src.target != nil && overtaken(err) {
			return src.target.bytesFrom(w, n)
		}
	}
	if err != nil {
		return err
	}
	if rest := r.Trailing(); rest != nil {
		n, _ := rest.Read(make([]byte, 1))
		src.trailing = n > 0
	}
	return nil
}

// array writes the array that the file name holds.
func (c *decompressCmd) array(w io.Writer, t *target, name string) error {
	if _, fromCSV := csvFormOf(t.frame.Metalayers()); c.asCSV(name) && !fromCSV {
		v, err := viewOf(t, "")
		if err != nil {
			return err
		}
		return (&catCmd{CSV: true}).lines(w, v, v.all())
	}
	return decompressArray(w, t, c.Raw, c.asNPY(name), c.workers())
}

// chunk decodes a bare chunk. Other bytes may follow it if --offset says where it
// begins in a file.
func (c *decompressCmd) chunk(w io.Writer, src *source) error {
	trailing, err := decompressChunk(w, src.Reader, c.Offset > 0 || c.Trailing)
	src.trailing = trailing && c.Trailing
	if errors.Is(err, blosc2.ErrTrailing) {
		err = fmt.Errorf("%w; --allow-trailing ignores them", err)
	}
	return err
}

// decompressChunk decodes a bare chunk. Bytes after the chunk are an error unless
// part is set. With part, the chunk is part of a file, such as a shard of Zarr, and
// decompressChunk reports whether bytes follow it.
func decompressChunk(w io.Writer, src io.Reader, part bool) (trailing bool, err error) {
	head := make([]byte, chunk.HeaderLen)
	n, err := io.ReadFull(src, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	h, err := chunk.ParseHeader(head[:n])
	if err != nil {
		return false, err
	}
	rest, err := io.ReadAll(io.LimitReader(src, int64(max(h.CBytes-n, 0))))
	if err != nil {
		return false, err
	}
	c := append(head[:n], rest...)
	after, err := io.Copy(io.Discard, io.LimitReader(src, chunk.MaxBytes))
	if err != nil {
		return false, err
	}
	if after += int64(max(len(c)-h.CBytes, 0)); after > 0 && !part {
		return true, fmt.Errorf("%w: %s bytes after the chunk of %s", blosc2.ErrTrailing, commas(after), commas(int64(h.CBytes)))
	}
	var dec chunk.Decoder
	dst, err := dec.Decode(nil, c[:min(len(c), max(h.CBytes, 0))])
	if err != nil {
		return after > 0, err
	}
	_, err = w.Write(dst)
	return after > 0, err
}

// A counter counts the bytes written. If there is a limit, writing more bytes returns
// an error.
type counter struct {
	io.Writer
	n, limit int64
	watch    func(n int64) // called with the number of bytes so far; may be nil
}

// Write writes b and counts its bytes.
func (c *counter) Write(b []byte) (int, error) {
	if c.limit > 0 && c.n+int64(len(b)) > c.limit {
		return 0, fmt.Errorf("%w: more than %s bytes, the limit", blosc2.ErrTooLarge, commas(c.limit))
	}
	n, err := c.Writer.Write(b)
	c.n += int64(n)
	if c.watch != nil {
		c.watch(c.n)
	}
	return n, err
}
