package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/npy"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// arrayFlags are the flags for reading an input as an array.
type arrayFlags struct {
	CSV   bool
	Shape *string
	DType string

	typed bool // --dtype or --typesize describes the items of a raw file
	grows bool // rows will be appended to the array
}

// maxFortran is the largest array in Fortran order that is read, in bytes. It is
// held in memory.
const maxFortran = 1 << 30

func (f *arrayFlags) define(g *grammar) {
	g.text(&f.Shape, "shape", "", "Shape `N,...` of the input, an array in C order; with --shape=-1,N,… the number of rows follows from the input's length.")
	g.BoolVar(&f.CSV, "csv", false, "Read comma-separated values as an array of structures with a field for each column; the types of the columns are detected.")
	g.StringVar(&f.DType, "dtype", "", "NumPy `TYPE` of the items, such as f4, which is stored in the output; default: from the header or the suffix.")
}

// A content describes what an input holds.
type content struct {
	array  *b2nd.Spec // nil if the input is not an array
	dtype  string     // the type of items that are not an array; "" if not known
	data   io.Reader  // the items, in C order
	layers []meta.Layer
}

// content determines what an input holds.
func (f *arrayFlags) content(e *env, in *input) (c *content, err error) {
	name, file := in.name, in.File
	c = &content{data: file}
	info := in.info
	if info == nil { // the standard input may be redirected from a file
		if info, err = file.Stat(); err != nil {
			return nil, err
		}
	}
	if local, ok := file.(*os.File); ok && info.Mode().IsRegular() && mostlyHoles(info) {
		c.data = withHoles(local, info.Size())
	}
	if isWAV(name) && !f.CSV {
		sound, err := wavContent(file)
		if sound != nil && err == nil {
			err = f.fit(name, sound.array)
		}
		if sound != nil || err != nil {
			return sound, err
		}
	}
	var ofNumPy bool
	if !f.CSV {
		if ofNumPy, err = f.isNPY(name, file); err != nil {
			return nil, err
		}
	}
	switch {
	case f.CSV:
		bar := e.newBar(name, in.size)
		defer bar.end()
		return csvContent(file, bar.add)
	case ofNumPy:
		var r *npy.Reader
		if r, err = npy.NewReader(file); err == nil {
			err = e.surplus(in, r)
		}
		if err == nil {
			c.array, c.data, c.layers, err = f.specOf(name, r)
		}
		return c, err
	case f.Shape != nil:
		if name == "-" {
			begin := bufio.NewReader(c.data)
			if head, _ := begin.Peek(len(npyMagic)); string(head) == npyMagic {
				return nil, misusef("the standard input is a .npy file, whose header would become items; compress it by its name, or without --shape")
			}
			c.data = begin
		}
		if c.array, err = f.raw(name); err == nil && !f.grows && info.Mode().IsRegular() && knowRows(c.array, in.size) {
			c.data = io.LimitReader(c.data, in.size) // the file may grow
		}
		return c, err
	}
	dtype := cmp.Or(f.DType, suffixDType(name))
	if dtype != "" {
		var d meta.DType
		if d, err = parseDType(dtype); err == nil {
			c.dtype = d.String()
		}
	}
	return c, err
}

// surplus reports bytes after the array of a .npy file, of which r has read the header. It is an
// error if the file is to be removed. NumPy ignores such bytes, too.
func (e *env) surplus(in *input, r *npy.Reader) error {
	at, err := in.File.Seek(0, io.SeekCurrent)
	if err != nil || in.size == 0 {
		return nil // a pipe
	}
	n, err := r.Header.Size()
	if rest := in.size - at - n; err == nil && rest > 0 {
		if e.removes {
			return fmt.Errorf("has %s after the array, which would be lost", count(rest, "byte"))
		}
		e.note("%s: %s after the array are ignored", in.name, count(rest, "byte"))
	}
	return nil
}

// npyMagic is the beginning of a .npy file.
const npyMagic = "\x93NUMPY"

// isNPY reports whether a file is read as a .npy file: its name has the suffix. If it
// begins otherwise, its items are raw, and a flag must describe them. The beginning of a
// pipe is not known.
func (f *arrayFlags) isNPY(name string, file io.ReaderAt) (bool, error) {
	if filepath.Ext(localName(name)) != npySuffix {
		return false, nil
	}
	head := make([]byte, len(npyMagic))
	n, err := file.ReadAt(head, 0)
	switch {
	case err != nil && err != io.EOF || string(head[:n]) == npyMagic:
		return true, nil
	case f.typed:
		return false, nil
	}
	return false, errors.New("is not a .npy file, although its name says so; --dtype u1 compresses it as it is")
}

// fit applies the flags to the array in the named file. The file determines the shape,
// so --shape is an error. --dtype may be another type of the same size.
func (f *arrayFlags) fit(name string, spec *b2nd.Spec) error {
	if f.Shape != nil {
		return misusef("%s: --shape=%s: the file has its own shape, %s", publicName(name), *f.Shape, times(spec.Shape))
	}
	if f.DType == "" {
		return nil
	}
	own, err := meta.ParseDType(spec.DType)
	if err != nil {
		return err
	}
	d, err := sameSize(name, f.DType, own)
	if err == nil && d.String() != own.String() {
		spec.DType = d.String()
	}
	return err
}

// sameSize parses the value of --dtype. It returns an error unless the type has the
// size of own, the type of the items in the file.
func sameSize(name, text string, own meta.DType) (meta.DType, error) {
	d, err := parseDType(text)
	if err == nil && d.Size != own.Size {
		err = misusef("%s: --dtype %s: has items of %s, but those of the file, %s, have %d",
			publicName(name), printable(text), count(int64(d.Size), "byte"), own, own.Size)
	}
	return d, err
}

// order applies the flags to an array that is made: the sizes or shapes of chunks and
// blocks. It returns an error if the command line has --typesize, and the items have another
// size, which is the typesize of the array.
func (c *compressCmd) order(name string, spec *b2nd.Spec) error {
	for _, f := range []struct {
		flag  string
		shape []int64
	}{{"chunks", c.Chunks}, {"blocks", c.Blocks}} {
		if f.shape != nil && len(f.shape) != len(spec.Shape) {
			return misusef("%s: --%s %s: the array has %s", publicName(name), f.flag, shapeText(f.shape), count(int64(len(spec.Shape)), "dimension"))
		}
	}
	spec.ChunkShape, spec.BlockShape = c.Chunks, c.Blocks
	if c.given("chunk") {
		spec.ChunkBytes = int(c.Chunk)
	}
	if c.given("block") {
		spec.BlockBytes = int(c.Block)
	}
	if !c.given("typesize") {
		return nil
	}
	d, err := meta.ParseDType(spec.DType)
	if err != nil {
		return err
	}
	return sameTypeSize(name, *c.TypeSize, "of the array, ", d)
}

// sameTypeSize returns an error unless n, the value of --typesize, is the size of the
// items. of says where their type d is from.
func sameTypeSize(name string, n int, of string, d meta.DType) error {
	if n == d.Size {
		return nil
	}
	return misusef("%s: --typesize %d: the items %s%s, have %s", publicName(name), n, of, d, count(int64(d.Size), "byte"))
}

// parseDType parses the value of --dtype.
func parseDType(text string) (meta.DType, error) {
	d, err := meta.ParseDType(text)
	if err != nil {
		return d, misusef("--dtype %s: not a NumPy type, as f4, >i8, S10, or [('a','<i8'),('b','<f8')] for a structure", printable(text))
	}
	return d, nil
}

// specOf returns the array that a .npy file holds, its items in C order, and the
// metalayers from which the original order can be restored.
func (f *arrayFlags) specOf(name string, r *npy.Reader) (*b2nd.Spec, io.Reader, []meta.Layer, error) {
	spec := &b2nd.Spec{Shape: r.Header.Shape, DType: r.Header.DType}
	if err := f.fit(name, spec); err != nil {
		return nil, nil, nil, err
	}
	items, err := r.COrder(maxFortran)
	if err != nil {
		return nil, nil, nil, err
	}
	layers, err := orderLayers(&r.Header)
	return spec, items, layers, err
}

// raw returns the array that the flags describe, for an input of raw items.
func (f *arrayFlags) raw(name string) (*b2nd.Spec, error) {
	spec := &b2nd.Spec{DType: f.DType, Shape: []int64{}}
	if *f.Shape != "" {
		for i, word := range strings.Split(*f.Shape, ",") {
			n, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
			if err != nil || n < 0 && (i > 0 || n != b2nd.Unknown) {
				return nil, misusef("--shape=%s: %q: must be 0 or more; the first may be -1", *f.Shape, word)
			}
			spec.Shape = append(spec.Shape, n)
		}
	}
	if spec.DType == "" {
		spec.DType = suffixDType(name)
	}
	if spec.DType == "" {
		return nil, misusef("--shape requires --dtype")
	}
	_, err := parseDType(spec.DType)
	return spec, err
}

// knowRows sets an unknown number of rows to that of a file of size bytes, unless the last row
// is incomplete, and reports whether it did. The chunk of a small array is then as small as the
// array.
func knowRows(spec *b2nd.Spec, size int64) bool {
	unknown := len(spec.Shape) > 0 && spec.Shape[0] == b2nd.Unknown && size > 0 && size%rowBytes(spec) == 0
	if unknown {
		spec.Shape[0] = size / rowBytes(spec)
	}
	return unknown
}

// compressArray copies data, the items in C order, into an array. If data ends early
// and the beginning is to be kept, the array consists of the complete rows.
func compressArray(out io.Writer, data io.Reader, spec *b2nd.Spec, options []stream.WriterOption, keep bool) (done stream.Stats, pick tune.Pick, err error) {
	w, err := b2nd.NewWriter(out, *spec, options...)
	if err != nil {
		return done, pick, err
	}
	n, err := w.ReadFrom(data)
	closing := w.Close
	if keep {
		closing = w.CloseRows
	}
	errClose := closing()
	if err == nil && errors.Is(errClose, io.ErrUnexpectedEOF) { // the input is too short, but was read
		if err = tooFew(spec, n); !keep && len(spec.Shape) > 0 && n >= rowBytes(spec) {
			err = fmt.Errorf("%w; --keep-partial keeps the complete rows", err)
		}
	}
	if err = cmp.Or(err, errClose); err == nil {
		// The array is complete, so further bytes mean that its shape is wrong.
		var more [1]byte
		n, errMore := io.ReadFull(data, more[:])
		if n > 0 {
			err = tooMany(spec)
		} else if errMore != io.EOF {
			err = errMore
		}
	}
	done, pick = w.Stats(), w.Chosen()
	done.Bytes = n // the size of the items, without the padding of chunks
	if err != nil {
		done.Bytes -= n % rowBytes(spec)
	}
	return done, pick, err
}

// tooMany returns the error for input with more items than the array of spec.
func tooMany(spec *b2nd.Spec) error { return fmt.Errorf("too many items: %s", capacity(spec)) }

// tooFew returns the error for input of n bytes, fewer than those of the array of spec or
// of a whole number of rows.
func tooFew(spec *b2nd.Spec, n int64) error {
	size := int64(1)
	if d, err := meta.ParseDType(spec.DType); err == nil {
		size = max(int64(d.Size), 1)
	}
	of := func(n int64) string {
		if n%size > 0 {
			return fmt.Sprintf("%s and %s", count(n/size, "item"), count(n%size, "byte"))
		}
		return count(n/size, "item")
	}
	if row := rowBytes(spec); len(spec.Shape) > 0 && spec.Shape[0] == b2nd.Unknown {
		return fmt.Errorf("too few items: row %s of shape %v of %s has %s, not %s: %w", commas(n/row), spec.Shape, spec.DType, of(n%row), of(row), io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("too few items: %s; %s: %w", of(n), capacity(spec), io.ErrUnexpectedEOF)
}

// capacity says how many items and rows an array of known shape has.
func capacity(spec *b2nd.Spec) string {
	text := fmt.Sprintf("shape %v of %s has %s", spec.Shape, spec.DType, count(item.Count(spec.Shape), "item"))
	if len(spec.Shape) > 1 {
		text += fmt.Sprintf(", %s of %s", count(spec.Shape[0], "row"), times(spec.Shape[1:]))
	}
	return text
}

// rowBytes returns the size in bytes of a row of the array, or of its only item
// if it has no dimensions.
func rowBytes(spec *b2nd.Spec) int64 {
	d, err := meta.ParseDType(spec.DType)
	if err != nil {
		return 1
	}
	return max(item.Count(spec.Shape[min(1, len(spec.Shape)):])*int64(d.Size), 1)
}

// decompressArray writes an array as a .npy file. If asNPY is not set and the array was
// made from sound or comma-separated values, it writes such a file. If raw is set, it
// writes only the bytes of the items.
func decompressArray(w io.Writer, t *target, raw, asNPY bool, jobs int) error {
	f := t.frame
	if err := meansNothing(f); err != nil {
		return err
	}
	a, err := b2nd.FromFrame(f, b2nd.Workers(jobs))
	if err != nil {
		return err
	}
	if form, ok := csvFormOf(f.Metalayers()); ok && !raw && !asNPY {
		return writeCSV(w, f, form, jobs)
	}
	head, tail, sound := around(f.Metalayers())
	if raw || asNPY || !sound {
		return writeItems(w, a, t.itemsOf(a), !raw)
	}
	if _, err = w.Write(head); err == nil {
		err = t.itemsOf(a)(w)
	}
	if err == nil {
		_, err = w.Write(tail)
	}
	return err
}

// itemType returns the array's dtype, or bytes of unknown meaning (void) if NumPy
// has no such type.
func itemType(a *b2nd.Array) meta.DType {
	if d := a.DType(); d.Kind != meta.Opaque {
		return d
	}
	return meta.DType{Kind: meta.Void, Order: '|', Size: a.ItemSize()}
}
