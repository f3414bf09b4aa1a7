package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/npy"
	"github.com/seed03b80dae/blosc2/tune"
)

// benchCmd is "blosc2 bench".
type benchCmd struct {
	Auto     string
	TypeSize *int
	Sample   size
	All      bool
	By       string // "": each row is printed as soon as it is measured
	jobsFlag
	File  string
	holds string     // flags that describe the contents, if the file is compressed
	items bool       // the type of the items is known, but not how wide those of a frame should be
	array *b2nd.Spec // the array in a .npy file, which compress writes as one
	given func(flag string) bool
}

const (
	benchChunk = 1 << 20
	benchTime  = 60 * time.Millisecond  // how long to run each way
	benchAgain = 400 * time.Millisecond // the longest first run of a way that runs only twice; slower ones run once
)

func (c *benchCmd) define(g *grammar) {
	c.Auto, c.Sample = tune.Balanced.String(), 4<<20
	g.StringVar(&c.Auto, "auto", c.Auto, "Rank by `AIM`, one of those of compress except off.")
	g.number(&c.TypeSize, "typesize", "t", typeSizeHelp)
	g.bytes(&c.Sample, "sample", "Measure on `SIZE` bytes of the file; default: 4M.")
	g.BoolVar(&c.All, "all", false, "Measure many other settings too; takes long.")
	g.choice(&c.By, "by", "Sort the rows by `WHAT`: balanced (total time), ratio, compress or decompress; default: as they are measured.", slices.Sorted(maps.Keys(benchOrders))...)
	c.jobsFlag.define(g)
	g.argument(&c.File, "FILE", "File of raw data, or a frame or an array, whose data are measured.")
}

// check implements checker.
func (c *benchCmd) check(g *grammar) error {
	c.given = g.Changed
	return nil
}

// Run measures settings on a sample of the file, and prints each result
// immediately.
func (c *benchCmd) Run(e *env) error {
	aim, err := tune.ParseAim(c.Auto)
	if err != nil {
		return misusef("--auto %s: must be balanced, memory, disk, network, wan, archive, or bytes per second, at least 1K, such as 20M or 1.5G", c.Auto)
	}
	if c.Sample == 0 {
		return misusef("--sample 0: must be at least 1 byte")
	}
	data, typeSize, f, err := c.open(e)
	if err != nil {
		return withName(c.File, err)
	}
	defer f.Close()
	if n := data.Size(); n <= searchMin { // the time of each call would be measured, not the speed
		return e.print(fmt.Sprintf("%s: %s, too small to measure; without --auto or a level, compress uses lz4 5 and shuffle for up to %s\n",
			c.File, count(n, "byte"), count(searchMin, "byte")))
	}
	array := c.sampledRows(data.Size())
	sample, err := readSample(data, int64(c.Sample), array)
	if err != nil {
		return withName(c.File, err)
	}
	if c.TypeSize != nil {
		typeSize, c.items = *c.TypeSize, false
	}
	size := data.Size()
	b := &bench{data: data, sample: sample, typeSize: typeSize, items: c.items, array: array, workers: c.workers(), aim: aim, measured: map[[sha256.Size]byte]benchRow{}}
	ways := b.ways()
	if c.All {
		ways = append(ways, b.every()...)
	}
	as := "in chunks of " + commas(benchChunk)
	if array != nil {
		array.Shape[0] = int64(len(sample)) / rowBytes(array)
		as = "as an array of " + times(array.Shape)
	}
	err = e.print(fmt.Sprintf("%s: sample of %s out of %s, %s; in all: compress, transfer twice at %g MB/s, decompress\n\n%s\n",
		c.File, count(int64(len(sample)), "byte"), commas(size), as, linkOf(aim)/1e6, benchHead))
	if err != nil {
		return err
	}
	if _, err := b.row(ways[0]); err != nil { // a first run is slow: memory is new, and the processor has waited
		return withName(c.File, err)
	}
	clear(b.measured)
	var rows []benchRow
	for _, w := range ways {
		r, err := b.row(w)
		if err != nil {
			return withName(c.File, err)
		}
		if slices.ContainsFunc(rows, func(o benchRow) bool { return o.setting == r.setting && o.aim != 0 && r.aim == 0 }) {
			continue
		}
		rows = append(rows, r)
		if c.By == "" {
			if err := e.print(r.line(aim) + "\n"); err != nil {
				return err
			}
		}
	}
	var text strings.Builder
	if less := benchOrders[c.By]; less != nil {
		sorted := slices.Clone(rows)
		slices.SortStableFunc(sorted, func(a, b benchRow) int { return less(&a, &b, aim) })
		for _, r := range sorted {
			fmt.Fprintln(&text, r.line(aim))
		}
	}
	c.advise(&text, rows, aim, size)
	return e.print(text.String())
}

// benchOrders holds, for each value of --by, a function that compares two rows. The
// best row is first.
var benchOrders = map[string]func(a, b *benchRow, aim tune.Aim) int{
	"balanced":   func(a, b *benchRow, aim tune.Aim) int { return cmp.Compare(a.total(aim), b.total(aim)) },
	"ratio":      func(a, b *benchRow, _ tune.Aim) int { return cmp.Compare(b.ratio, a.ratio) },
	"compress":   func(a, b *benchRow, _ tune.Aim) int { return cmp.Compare(b.compress, a.compress) },
	"decompress": func(a, b *benchRow, _ tune.Aim) int { return cmp.Compare(b.expand, a.expand) },
}

// linkOf returns the speed of the link that an aim assumes, in bytes per second.
// Archive assumes a slow one.
func linkOf(aim tune.Aim) float64 {
	switch aim {
	case tune.Balanced:
		aim = tune.Network
	case tune.Archive:
		return benchSlow
	}
	return float64(aim)
}

// benchGain is the least compression ratio of a setting that is recommended.
const benchGain = 1.05

// benchSlow is the speed of the link that archive assumes, in bytes per second.
const benchSlow = 1e6

// advice returns the command that compresses the file with the given flags. If the file
// is compressed already, the command decompresses it first.
func (c *benchCmd) advice(flags, size string) string {
	name := shellWord(c.File)
	switch {
	case c.holds != "":
		return fmt.Sprintf("blosc2 decompress --raw -c %s | blosc2 compress%s%s%s -o OUT", name, c.holds, flags, size)
	case c.File == "-":
		return fmt.Sprintf("blosc2 compress%s%s", flags, size)
	}
	return fmt.Sprintf("blosc2 compress%s%s %s", flags, size, name)
}

// shellWord returns the name of a file as a word of a command line, quoted if necessary. A
// name with characters that a terminal does not show is only made printable.
func shellWord(name string) string {
	if shown := printable(name); shown != name {
		return shown
	}
	if strings.HasPrefix(name, "-") && name != "-" {
		name = "./" + name
	}
	const special = " \t!\"#$&'()*;<=>?[\\]^`{|}~"
	if name == "" || strings.ContainsAny(name, special) {
		return shellQuote(name)
	}
	return name
}

// advise prints three command lines and the expected results.
func (c *benchCmd) advise(w io.Writer, rows []benchRow, aim tune.Aim, size int64) {
	flag := ""
	if c.TypeSize != nil {
		flag = fmt.Sprintf(" -t %d", *c.TypeSize)
	}
	fmt.Fprintln(w)
	middle := aim
	if aim == tune.Memory || aim == tune.Archive {
		middle = tune.Balanced
	}
	for _, l := range []struct {
		what string
		aim  tune.Aim
	}{{"fast", tune.Memory}, {"middle", middle}, {"small", tune.Archive}} {
		r := recommended(rows, l.aim)
		if r == nil {
			fmt.Fprintf(w, "does not compress: %s\n", c.advice(" -0", flag))
			return
		}
		auto := " --auto " + r.aim.String()
		if r.aim == tune.Balanced {
			auto = ""
		}
		fmt.Fprintf(w, "%-6s  %s  # %s, about %s bytes in %s s\n", l.what, c.advice(auto, flag), r.setting,
			commas(int64(significant(float64(size)/r.ratio, 3))), brief(float64(size)/r.compress+r.choose))
	}
}

// brief formats a time in seconds with two digits, such as 0.93.
func brief(seconds float64) string { return strconv.FormatFloat(significant(seconds, 2), 'f', -1, 64) }

// significant returns a number rounded to the given number of digits.
func significant(v float64, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	return r
}

// recommended returns the row of an aim. If that setting does not compress the data, it
// returns the row of the next aim that does, or nil if there is none.
func recommended(rows []benchRow, aim tune.Aim) *benchRow {
	reached := false
	for i := range rows {
		r := &rows[i]
		if reached = reached || r.aim == aim; reached && r.aim != 0 && r.ratio >= benchGain {
			return r
		}
	}
	return nil
}

// open opens the data that bench measures: the decompressed chunks of a compressed file
// in their order, or any other file itself. typeSize is 0 if it is not known.
func (c *benchCmd) open(e *env) (data *io.SectionReader, typeSize int, f io.Closer, err error) {
	name := c.File
	file, err := e.openAnywhere(name)
	if err != nil {
		return nil, 0, nil, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return nil, 0, nil, err
	}
	if info.Size() == 0 {
		return nil, 0, nil, errors.New("is empty")
	}
	t, err := targetOf(name, file, 0)
	switch {
	case errors.Is(err, errKind) || isPlain(name, err) || err == nil && t.mistaken():
		if errors.Is(err, errKind) && wasFrame(name) {
			e.note("%v; its bytes are measured as they are", withName(name, err))
		}
		if r, err := npy.NewReader(file); err == nil {
			return c.npyItems(r, file, info.Size())
		}
		typeSize, c.items = suffixTypeSize(name)
		return io.NewSectionReader(file, 0, info.Size()), typeSize, file, nil
	case err != nil:
		return nil, 0, nil, err
	case t.kind == kindChunk:
		d := chunk.Decoder{MaxBytes: chunk.MaxBytes}
		b, err := d.Decode(nil, t.chunk)
		if err != nil {
			return nil, 0, nil, err
		}
		h, err := chunk.ParseHeader(t.chunk)
		c.holds = fmt.Sprintf(" -t %d", h.TypeSize)
		return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b))), h.TypeSize, file, err
	}
	typeSize = int(t.frame.Header().TypeSize)
	c.holds = fmt.Sprintf(" -t %d", typeSize)
	if a, err := b2nd.FromFrame(t.frame); err == nil && t.kind == kindArray {
		c.holds = fmt.Sprintf(" --shape %s --dtype '%s'", commaed(a.Shape()), a.DType())
	} else if d, err := meta.ParseDType(dtypeOf(t.frame)); err == nil {
		typeSize, c.items = d.Size, true
		c.holds = fmt.Sprintf(" --dtype '%s'", dtypeOf(t.frame))
	}
	return io.NewSectionReader(t.frame, 0, t.frame.Size()), typeSize, t, nil
}

// npyItems returns the items of a .npy file, and the size of an item in bytes, which
// compress uses as the typesize.
func (c *benchCmd) npyItems(r *npy.Reader, f file, size int64) (*io.SectionReader, int, io.Closer, error) {
	p, err := plainNPY(r, f, size)
	if err != nil {
		return nil, 0, nil, err
	}
	n, err := r.Header.Size()
	if err == nil && n == 0 {
		err = errors.New("has no items")
	}
	if err == nil && c.given("typesize") {
		err = sameTypeSize(c.File, *c.TypeSize, "of the array, ", p.dtype)
	}
	c.TypeSize = nil // compress ignores a preset one
	c.array = &b2nd.Spec{Shape: slices.Clone(p.shape), DType: p.dtype.String()}
	p.own(f)
	return io.NewSectionReader(p.src, 0, n), p.dtype.Size, p, err
}

// sampledRows returns the array in the file, or nil if there is none, or a piece of a sample has
// no whole row of it.
func (c *benchCmd) sampledRows(size int64) *b2nd.Spec {
	if c.array == nil || len(c.array.Shape) == 0 || size > int64(c.Sample) && rowBytes(c.array) > min(int64(c.Sample), benchChunk) {
		return nil
	}
	return c.array
}

// readSample returns pieces of a chunk's size, evenly spread over the data; of an array, whole
// rows.
func readSample(data *io.SectionReader, most int64, array *b2nd.Spec) (sample []byte, err error) {
	size := data.Size()
	if size <= most {
		sample = make([]byte, size)
		_, err = data.ReadAt(sample, 0)
		return sample, err
	}
	pieces := max(1, most/benchChunk)
	length, unit := min(most, benchChunk), int64(256) // begin at a whole item, if the items' size divides 256
	if array != nil {
		unit = rowBytes(array)
		length -= length % unit
	}
	sample = make([]byte, pieces*length)
	for i := range pieces {
		at := (size - length) / max(1, pieces-1) * i
		at -= at % unit
		if _, err := data.ReadAt(sample[i*length:(i+1)*length], at); err != nil {
			return nil, err
		}
	}
	return sample, nil
}

const benchHead = "chosen for  setting                                         ratio    compress  decompress    in all"

// line writes a row of the table of results.
func (r *benchRow) line(aim tune.Aim) string {
	name := ""
	if r.aim != 0 {
		name = r.aim.String()
	}
	return fmt.Sprintf("%-10s  %-44s %8.2f %6s MB/s %6s MB/s %6.2f s/GB", cmp.Or(name, r.what), r.setting, r.ratio, megabytes(r.compress), megabytes(r.expand), r.total(aim))
}
