package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/npy"
)

// convertCmd is "blosc2 convert".
type convertCmd struct {
	outFlags
	arrayFlags
	partitionFlags
	shardFlag
	encodingFlags
	File string
}

func (c *convertCmd) define(g *grammar) {
	c.outFlags.define(g)
	g.text(&c.Shape, "shape", "", "Shape `N,...` of the items of a raw file or a frame, in C order; with --shape=-1,N,… the number of rows follows from the file's length.")
	g.StringVar(&c.DType, "dtype", "", "NumPy `TYPE` of the items of a raw file or a frame, such as f4, or another type of the same size for those of a .npy file; default: from the frame or the suffix.")
	c.partitionFlags.define(g, "chosen as in python-blosc2", "chosen from the chunks")
	c.encodingFlags.defaults()
	c.Auto = autoOff
	g.StringVarP(&c.Codec, "codec", "c", "lz4", "Compress an array with `CODEC[:META]`: {codecs}.")
	g.whole(&c.Level, "level", "l", "Compression level `0..9` of an array; default: 5.")
	g.text(&c.Filters, "filters", "", "Filters `FILTER[:META],...` of an array: {filters}; default: shuffle.")
	c.shardFlag.define(g)
	g.argument(&c.File, "FILE", "Array: .b2nd, .npy, a frame, or raw items with --shape. Or a table, for a .parquet OUT; or a .parquet file, for a .b2z OUT.")
}

// check returns an error for flags that cannot be combined.
func (c *convertCmd) check(*grammar) error {
	if err := c.checkShapes(); err != nil {
		return err
	}
	if c.shardFlag.given() {
		return c.shardFlag.checkFolder(c.Out)
	}
	return nil
}

// Run converts FILE to the format that the output's suffix names. The memory used does
// not depend on the size of the array.
func (c *convertCmd) Run(e *env) error {
	if isParquet(c.File) || isParquet(c.Out) {
		return c.parquet(e)
	}
	from, to := c.form(c.File), c.form(c.Out)
	if c.shardFlag.given() {
		to = arraySuffix
	}
	switch {
	case from == arraySuffix && to == arraySuffix:
		return misusef("%s is already a Blosc2 array; rechunk changes its chunks and compression", c.File)
	case from == arraySuffix && slices.Contains([]string{csvSuffix, frameSuffix, chunkSuffix}, filepath.Ext(c.Out)):
		return misusef("-o %s: convert writes .npy files and raw items of arrays; \"blosc2 decompress -o x.csv %s\" writes comma-separated values", c.Out, c.File)
	case from == arraySuffix:
		return c.fromArray(e, to)
	case to != arraySuffix && c.Out == "":
		return misusef("-o OUT is missing; its suffix is that of the format")
	case to != arraySuffix && isStore(c.Out):
		return misusef("-o %s: is a store; \"blosc2 tree create %[1]s %[2]s\" creates it from arrays and tables", c.Out, c.File)
	case to != arraySuffix && (isFrame(c.File) || wasFrame(c.File)):
		return misusef("-o %s: must end in %s, as a frame is converted to an array; \"blosc2 decompress -o %[1]s %[3]s\" writes its items", c.Out, arraySuffix, publicName(c.File))
	case to != arraySuffix:
		return misusef("-o %s: must end in %s, as raw items and .npy files are converted to arrays", c.Out, arraySuffix)
	}
	return c.toArray(e, from)
}

// form returns the suffix of an array or a .npy file, and "" for raw items.
func (c *convertCmd) form(name string) string {
	switch ext := filepath.Ext(name); ext {
	case arraySuffix, npySuffix:
		return ext
	}
	if _, _, ok := splitStore(name); ok {
		return arraySuffix
	}
	return ""
}

// fromArray converts an array to raw items or a .npy file.
func (c *convertCmd) fromArray(e *env, to string) error {
	in, a, err := e.openArray(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := e.create(c.Out, c.outFlags)
	if err != nil {
		return err
	}
	bar := e.newBar(c.File, a.Size())
	defer bar.end()
	w := &counter{Writer: out.writer(), watch: bar.add}
	t := &target{frame: a.Frame()}
	if f, ok := in.File.(*os.File); ok {
		t.file = f
	}
	if err := writeItems(w, a, t.itemsOf(a), to == npySuffix); err != nil {
		return e.abandon(out, c.File, w.n, err)
	}
	return e.commit(out)
}

// writeItems writes an array as a .npy file, or only its items if asNPY is not set. inC
// must write the items in C order.
func writeItems(w io.Writer, a *b2nd.Array, inC func(w io.Writer) error, asNPY bool) error {
	if !asNPY {
		return inC(w)
	}
	h := headerOf(a)
	b, err := h.Append(nil)
	if err == nil {
		_, err = w.Write(b)
	}
	if err != nil {
		return err
	}
	return writeOrdered(w, a, inC)
}

// toArray converts raw items, a .npy file or a frame to an array.
func (c *convertCmd) toArray(e *env, from string) error {
	in, err := e.openSteady(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	enc, err := c.encodingFlags.parse()
	if err != nil {
		return err
	}
	j := &compression{cmd: &compressCmd{Layout: layoutCurrent}, enc: enc}
	var items *io.SectionReader
	if from == npySuffix {
		j.array, items, err = c.npyItems(in)
	} else {
		j.array, items, err = c.items(in)
	}
	if err != nil {
		return withName(c.File, err)
	}
	j.array.ChunkShape, j.array.BlockShape = c.Chunks, c.Blocks
	plan, fill, err := j.planArray(items, c.shards())
	if err != nil {
		return withName(c.File, err)
	}
	return c.shardFlag.make(e, c.outFlags, plan.WithSource(in.source()), in.guard(fill))
}

// items returns the array that the flags describe, and a reader of its items: those of a frame,
// or else the bytes of the file.
func (c *convertCmd) items(in steady) (*b2nd.Spec, *io.SectionReader, error) {
	head := make([]byte, sniffLen)
	n, err := in.File.ReadAt(head, 0)
	switch {
	case err != nil && err != io.EOF:
		return nil, nil, err
	case beginsFrame(head[:n]) || wasFrame(c.File) || filepath.Ext(c.File) == chunkSuffix:
		return c.frameItems(in)
	case c.Shape == nil:
		return nil, nil, misusef("raw items require --shape")
	}
	spec, err := c.raw(c.File)
	return spec, io.NewSectionReader(in.File, 0, in.was.Size()), err
}

// frameItems is items for a frame, which may know the type and shape of its items.
func (c *convertCmd) frameItems(in steady) (*b2nd.Spec, *io.SectionReader, error) {
	t, err := targetOf(c.File, in.File, 0, usualCheck.options(c.File)...)
	switch {
	case err != nil:
		return nil, nil, err
	case t.kind == kindArray:
		return nil, nil, misusef("%s is already a Blosc2 array; rechunk changes its chunks and compression", publicName(c.File))
	case t.frame == nil:
		return nil, nil, errors.New("is a chunk, not a frame; decompress writes its items")
	}
	if err := cmp.Or(t.trailing(), t.frame.Lost(), meansNothing(t.frame)); err != nil {
		return nil, nil, err
	}
	v, err := viewOf(t, c.DType)
	if err != nil {
		return nil, nil, err
	}
	if c.DType == "" && v.dtype.Kind == meta.Void && v.ownType() == "" {
		return nil, nil, misusef("%s: the type of its items is not known; use --dtype to set it", publicName(c.File))
	}
	c.DType = v.dtype.String()
	if v.rest > 0 && c.Shape == nil {
		return nil, nil, fmt.Errorf("the %s of %s; --dtype sets another type", unfilled(v.rest), c.DType)
	}
	spec := &b2nd.Spec{Shape: v.shape, DType: c.DType}
	if c.Shape != nil {
		spec, err = c.raw(c.File)
	}
	return spec, io.NewSectionReader(t.frame, 0, t.frame.Size()), err
}

// npyItems reads the header of a .npy file, and returns a reader of its items.
func (f *arrayFlags) npyItems(in steady) (*b2nd.Spec, *io.SectionReader, error) {
	h, err := npy.ReadHeader(in.File)
	if err != nil {
		return nil, nil, err
	}
	if h.Fortran && len(h.Shape) > 1 {
		return nil, nil, errors.New("is in Fortran order; compress reads such a file if it fits in memory")
	}
	at, err := in.File.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, nil, err
	}
	size, err := h.Size()
	if n := in.was.Size() - at; err == nil && n < size {
		err = shorter(n, size, h.Shape)
	}
	if err != nil {
		return nil, nil, err
	}
	spec := &b2nd.Spec{Shape: h.Shape, DType: h.DType}
	return spec, io.NewSectionReader(in.File, at, size), f.fit(in.name, spec)
}
