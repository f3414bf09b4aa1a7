package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/meta"
)

// catCmd is "blosc2 cat".
type catCmd struct {
	CSV     bool
	JSON    bool
	Columns []string
	Table   bool
	Raw     bool
	NoPager bool
	checkFlag
	Follow bool
	Name   bool
	DType  string
	File   string
	Window string

	text bool // items of unknown type are printed as text if they are
}

func (c *catCmd) define(g *grammar) {
	g.BoolVar(&c.CSV, "csv", false, "Print comma-separated values, with the names of the columns.")
	g.BoolVar(&c.JSON, "json", false, "Print the rows of a table as lines of JSON, an object each.")
	g.StringSliceVar(&c.Columns, "columns", nil, "Print only these columns of a table: `NAME,...`.")
	g.BoolVarP(&c.Follow, "follow", "f", false, followHelp)
	g.BoolVarP(&c.Name, "follow-name", "F", false, "Same as --follow, but never end: after the writer closes FILE, wait for one that continues it; if FILE is replaced or truncated, follow the new contents from their beginning.")
	g.BoolVar(&c.Raw, "raw", false, "Write the bytes of the items in C order.")
	g.BoolVar(&c.Table, "table", false, "Print an aligned table with the indices of the items, as on a terminal.")
	g.BoolVar(&c.NoPager, "no-pager", false, "Do not use a pager.")
	c.checkFlag.define(g)
	g.StringVar(&c.DType, "dtype", "", dtypeHelp)
	g.argument(&c.File, "FILE", viewHelp+" - is the standard input.")
	g.optional(&c.Window, "WINDOW", windowHelp+".")
}

// check returns an error for flags that cannot be combined.
func (c *catCmd) check(*grammar) error {
	if howMany(c.CSV, c.Raw, c.Table, c.JSON) > 1 {
		return errors.New("--csv, --json, --raw and --table cannot be combined")
	}
	return nil
}

// Run prints a window. Text it prints as it is. On a terminal it prints a table. Elsewhere it
// prints one item per line if the window has one dimension. Otherwise it prints a line for
// each row along the last dimension, and an empty line between planes.
func (c *catCmd) Run(e *env) error {
	if c.Follow || c.Name {
		return c.follow(e)
	}
	files, err := e.members([]string{c.File})
	if err != nil {
		return err
	}
	c.text = howMany(c.CSV, c.Raw, c.Table, c.JSON) == 0
	var out io.Writer = e.stdout
	if e.isTerminal(e.stdout) {
		if c.Raw {
			return misusef("binary data is not written to a terminal; slice --raw -o writes it to a file")
		}
		c.Table = !c.CSV && !c.JSON
		if !c.NoPager {
			if p := e.newPager(); p != nil {
				defer p.end()
				out = p
			}
		}
	}
	if len(files) < 2 {
		return c.print(e, out, c.File)
	}
	return e.each(files, func(name string) error {
		if _, err := io.WriteString(out, shown(name)+":\n"); err != nil {
			return err
		}
		return c.print(e, out, name)
	})
}

// print prints the window of one array, or rows of a table.
func (c *catCmd) print(e *env, out io.Writer, file string) error {
	if is, err := c.rows(e, out, file); is {
		return withName(file, err)
	}
	v, err := e.openView(file, c.DType, c.options(file)...)
	if errors.Is(err, io.ErrUnexpectedEOF) && c.Window == "" && !c.JSON && c.Columns == nil {
		return c.beginning(e, out, file, err)
	}
	if err != nil {
		return err
	}
	defer v.Close()
	if n, ok := isSequence(v); ok {
		return withName(file, c.items(out, n))
	}
	if c.JSON || c.Columns != nil {
		return misusef("--json and --columns are for tables, which %s is not", file)
	}
	text := c.text && v.asText()
	e.noteRest(file, v.rest, v.dtype)
	w, err := v.window(c.Window)
	if err != nil {
		return err
	}
	// Show a bar only if the output is a file. A pipe may lead to a program on the
	// terminal.
	if info, err := e.stdout.Stat(); err == nil && info.Mode().IsRegular() {
		bar := e.newBar(file, w.bytes())
		defer bar.end()
		v.watch = bar.add
	}
	switch {
	case text:
		to := e.textTo(out)
		err = v.pieces(w, func(b []byte) error { _, err := to.Write(b); return err })
		err = cmp.Or(err, to.Close())
	case c.Raw:
		err = v.pieces(w, func(b []byte) error { _, err := out.Write(b); return err })
	case c.Table:
		err = c.aligned(e, out, v, w)
	default:
		err = c.lines(out, v, w)
	}
	if left(err) {
		return nil
	}
	if err == nil && errors.Is(v.trailing(), blosc2.ErrTrailing) {
		e.note("%s: the data after the first frame are not printed; verify reports what they are", file)
	}
	return withName(file, v.damaged(err))
}

// aligned prints a window as a table.
func (c *catCmd) aligned(e *env, out io.Writer, v *view, w *selection) error {
	t := newTable(out, e.columns(), e.ascii, w)
	t.head(e.local(fmt.Sprintf("%s: %s, %s", shown(v.name), w.dtype, times(w.Shape()))))
	size := w.dtype.Size
	err := v.pieces(w, func(b []byte) error {
		for ; len(b) > 0; b = b[size:] {
			if err := t.item(b[:size]); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, t.end())
}

// columns returns the width of the terminal.
func (e *env) columns() int {
	if width, _, err := term.GetSize(int(e.stdout.Fd())); err == nil && width > 0 {
		return width
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 80
}

// lines prints plain lines, or comma-separated values.
func (c *catCmd) lines(to io.Writer, v *view, w *selection) error {
	out := bufio.NewWriter(to)
	p := newPrinter(out, w.Shape(), c.CSV)
	if c.CSV {
		if err := p.names(csvHeader(w.dtype)); err != nil {
			return err
		}
	}
	err := v.pieces(w, func(b []byte) error { return c.printItems(p, w.dtype, b) })
	if errOut := p.flush(out); err == nil { // the items before an error are valid, and printed
		err = errOut
	}
	return err
}

// printItems prints the items in b that are whole.
func (c *catCmd) printItems(p *printer, d meta.DType, b []byte) error {
	for ; len(b) >= d.Size; b = b[d.Size:] {
		switch {
		case c.CSV:
			p.row = csvCells(p.row, d, b[:d.Size])
		case c.Table && d.Kind == meta.Struct:
			for _, cell := range csvCells(nil, d, b[:d.Size]) {
				p.row = append(p.row, shown(cell))
			}
		case p.width > 1:
			p.row = append(p.row, item.Quoted(d, b[:d.Size]))
		default:
			p.row = append(p.row, text(d, b[:d.Size]))
		}
		if err := p.item(); err != nil {
			return err
		}
	}
	return nil
}

// A printer prints items line by line.
type printer struct {
	row   []string
	items int   // items in row
	width int   // items per line
	plane int64 // lines per plane; 0 if there are no planes
	lines int64
	write func(row []string) error
	gap   func() error
	csv   *csv.Writer // nil if the output is plain text

	indexed bool  // lines begin with the number of the row
	index   int64 // number of the next row
}

func newPrinter(out *bufio.Writer, shape []int64, asCSV bool) *printer {
	p := &printer{width: 1}
	if n := len(shape); n > 1 {
		p.width = int(shape[n-1])
		if n > 2 {
			p.plane = shape[n-2]
		}
	}
	p.gap = func() error { return out.WriteByte('\n') }
	p.write = func(row []string) error {
		_, err := io.WriteString(out, strings.Join(row, " ")+"\n")
		return err
	}
	if asCSV {
		p.csv = csv.NewWriter(out)
		p.write = func(row []string) error { return writeCells(p.csv, out, row) }
		p.plane = 0
	}
	return p
}

// names writes the names of the columns, if any.
func (p *printer) names(header []string) error {
	if header == nil || p.width != 1 {
		return nil
	}
	return p.write(header)
}

// item ends an item. After the last item of a line it also ends the line.
func (p *printer) item() error {
	if p.items++; p.items < p.width {
		return nil
	}
	p.items = 0
	if p.plane > 0 && p.lines > 0 && p.lines%p.plane == 0 {
		if err := p.gap(); err != nil {
			return err
		}
	}
	p.lines++
	if p.indexed {
		p.row = slices.Insert(p.row, 0, fmt.Sprintf("%10d ", p.index))
		p.index++
	}
	err := p.write(p.row)
	p.row = p.row[:0]
	return err
}

func (p *printer) flush(out *bufio.Writer) error {
	if p.csv != nil {
		p.csv.Flush()
		if err := p.csv.Error(); err != nil {
			return err
		}
	}
	return out.Flush()
}
