package main

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// follow writes the data of a frame, or the rows of an array, while they are being
// written.
func (c *decompressCmd) follow(e *env) error {
	if len(c.Files) != 1 {
		return misusef("--follow requires the name of one file")
	}
	file, name, err := c.Files[0], c.Out, error(nil)
	if c.Stdout {
		name = "-"
	}
	if name == "" {
		if name, err = decompressedName(file, ""); err != nil {
			return withName(file, err)
		}
	}
	var out *output
	var good *counter
	f := &following{name: file, each: func(_ int64, b []byte) error {
		_, err := good.Write(b)
		return err
	}}
	err = e.follow(f, "", func() error {
		if f.kind == kindArray && !c.Raw {
			return misusef("--follow writes the rows of an array only with --raw, because a .npy file begins with their number")
		}
		if out, err = e.create(name, c.outFlags); err == nil {
			good = &counter{Writer: out.writer(), limit: int64(c.Limit)}
		}
		return err
	})
	switch {
	case out == nil:
		return err
	case err != nil:
		return e.abandon(out, file, good.n, err)
	}
	return e.commit(out)
}

// follow prints items or rows as they are flushed. It prints lines, unless a flag
// selects another format.
func (c *catCmd) follow(e *env) error {
	switch {
	case c.JSON || c.Columns != nil:
		return misusef("--json and --columns are for tables, which --follow cannot follow")
	case c.Raw && e.isTerminal(e.stdout):
		return misusef("binary data is not written to a terminal")
	}
	from, err := c.fromRow()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(e.stdout)
	f := &following{name: c.File, from: from, keep: c.Name}
	var p *printer
	var last []string // the column names last printed
	begin := func() error {
		p = newPrinter(out, f.shape, c.CSV)
		p.indexed = c.Table
		names := csvHeader(f.dtype)
		if c.Table && names != nil {
			names = append([]string{fmt.Sprintf("%10s ", "")}, names...)
		}
		if (c.CSV || c.Table) && !slices.Equal(names, last) {
			last = names
			return withName("-", p.names(names))
		}
		return nil
	}
	f.each = func(first int64, b []byte) error {
		if c.Raw {
			_, err := out.Write(b)
			if err == nil {
				err = out.Flush()
			}
			return withName("-", err)
		}
		p.index = first
		if p.plane > 0 {
			p.index *= p.plane
		}
		if err := c.printItems(p, f.dtype, b); err != nil {
			return withName("-", err)
		}
		return withName("-", p.flush(out))
	}
	return e.follow(f, c.DType, begin)
}

// fromRow parses the window that --follow accepts, START:, and returns a function that
// returns the first row, given the number of existing rows.
func (c *catCmd) fromRow() (func(rows int64) (int64, error), error) {
	word := strings.TrimSpace(strings.Trim(strings.TrimSpace(c.Window), "[]"))
	if word == "" {
		return nil, nil
	}
	start, ok := strings.CutSuffix(word, ":")
	n, err := strconv.ParseInt(start, 10, 64)
	if start == "" {
		n, err = 0, nil
	}
	if !ok || err != nil {
		return nil, misusef("--follow: window %s: must be START:, the row to begin with, as -10: for the last ten", c.Window)
	}
	return func(rows int64) (int64, error) {
		if n < 0 {
			return max(rows+n, 0), nil
		}
		if n > rows {
			return 0, misusef("--follow: window %s: there are %s rows so far", c.Window, commas(rows))
		}
		return n, nil
	}, nil
}
