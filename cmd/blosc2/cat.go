package main

import (
	"bufio"
	"encoding/csv"
	"io"
	"strings"
)

// catCmd is "blosc2 cat".
type catCmd struct {
	CSV    bool
	DType  string
	File   string
	Window string
}

func (c *catCmd) define(g *grammar) {
	g.BoolVar(&c.CSV, "csv", false, "Commas between the items, quotes where they are needed.")
	g.StringVar(&c.DType, "dtype", "", dtypeHelp)
	g.argument(&c.File, "FILE", viewHelp)
	g.optional(&c.Window, "WINDOW", windowHelp+".")
}

// Run prints a window: an item a line of one dimension, else a line for each
// row of the last one, with an empty line between planes.
func (c *catCmd) Run(e *env) error {
	v, err := openView(c.File, c.DType)
	if err != nil {
		return err
	}
	defer v.Close()
	w, err := v.window(c.Window)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(e.stdout)
	p := newPrinter(out, w.Shape(), c.CSV)
	size := v.dtype.Size
	err = v.pieces(w, func(b []byte) error {
		for ; len(b) > 0; b = b[size:] {
			if err := p.item(text(v.dtype, b[:size])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return about(c.File, err)
	}
	return about("-", p.flush(out))
}

// A printer puts items into lines.
type printer struct {
	row   []string
	width int   // items of a line
	plane int64 // lines of a plane; 0: there are none
	lines int64
	write func(row []string) error
	gap   func() error
	csv   *csv.Writer // nil for plain text
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
		p.write = p.csv.Write
		p.plane = 0
	}
	return p
}

func (p *printer) item(s string) error {
	p.row = append(p.row, s)
	if len(p.row) < p.width {
		return nil
	}
	if p.plane > 0 && p.lines > 0 && p.lines%p.plane == 0 {
		if err := p.gap(); err != nil {
			return err
		}
	}
	p.lines++
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
