package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// A csvForm describes how rows are written.
type csvForm struct {
	comma  rune
	header []string // nil if the file has no header
	empty  bool     // NaN and NaT are empty cells
}

// csvFormOf reads the form from the metalayer csvLayer, if the array has one.
func csvFormOf(layers []meta.Layer) (form csvForm, ok bool) {
	m, ok := fieldsOf(layers, csvLayer)
	if !ok {
		return form, false
	}
	form.comma = ','
	if c, _ := m.Get("comma"); c == ";" || c == "\t" {
		form.comma = rune(c.(string)[0])
	}
	empty, _ := m.Get("empty")
	form.empty, _ = empty.(bool)
	names, _ := m.Get("header")
	list, _ := names.([]any)
	for _, n := range list {
		text, _ := n.(string)
		form.header = append(form.header, text)
	}
	return form, true
}

// csvCells appends the text of an item to a row: the text of each field if the item is
// a structure. It does not quote the text, because the csv.Writer does.
func csvCells(row []string, d meta.DType, b []byte) []string {
	if d.Kind != meta.Struct {
		return append(row, csvCell(d, b))
	}
	for _, f := range d.Fields {
		for at := f.Offset; at < f.Offset+f.Len(); at += f.Type.Size {
			row = csvCells(row, f.Type, b[at:at+f.Type.Size])
		}
	}
	return row
}

func csvCell(d meta.DType, b []byte) string {
	switch d.Kind {
	case meta.Bytes:
		return strings.TrimRight(string(b), "\x00")
	case meta.Unicode:
		return strings.TrimRight(item.Characters(d, b), "\x00")
	}
	return text(d, b)
}

// writeCells writes a row with out, a csv.Writer that writes to w. A row of one empty
// cell is quoted, because readers skip empty lines.
func writeCells(out *csv.Writer, w io.Writer, row []string) error {
	if len(row) != 1 || row[0] != "" {
		return out.Write(row)
	}
	out.Flush()
	_, err := io.WriteString(w, "\"\"\n")
	return errors.Join(out.Error(), err)
}

// csvHeader returns the names of the cells of an item, or nil if the item is not a
// structure.
func csvHeader(d meta.DType) []string {
	if d.Kind != meta.Struct {
		return nil
	}
	return columnNames(nil, "", d)
}

func columnNames(names []string, before string, d meta.DType) []string {
	for _, f := range d.Fields {
		n := f.Len() / max(f.Type.Size, 1)
		for i := range n {
			name := before + f.Name
			if n > 1 {
				name += "[" + commas(int64(i)) + "]"
			}
			if f.Type.Kind == meta.Struct {
				names = columnNames(names, name+".", f.Type)
			} else {
				names = append(names, name)
			}
		}
	}
	return names
}

// writeCSV writes an array of structures as the file that it was made from.
func writeCSV(w io.Writer, f *frame.Reader, form csvForm, jobs int) error {
	a, err := b2nd.FromFrame(f, b2nd.Workers(jobs))
	if err != nil {
		return err
	}
	rows := newCSVRows(w, a.DType(), form)
	if err := rows.head(); err != nil {
		return err
	}
	if _, err := a.WriteTo(rows); err != nil {
		return err
	}
	return rows.end()
}

// csvRows converts items to rows.
type csvRows struct {
	to    io.Writer
	out   *csv.Writer
	dtype meta.DType
	row   []string
	part  []byte // the beginning of an item whose other bytes are not written yet
	form  csvForm
}

func newCSVRows(w io.Writer, d meta.DType, form csvForm) *csvRows {
	out := csv.NewWriter(w)
	out.Comma = form.comma
	return &csvRows{to: w, out: out, dtype: d, form: form}
}

// head writes the names of the columns, if there are any.
func (c *csvRows) head() error {
	if c.form.header == nil {
		return nil
	}
	return writeCells(c.out, c.to, c.form.header)
}

// end writes what is buffered. It returns an error if the last item is incomplete.
func (c *csvRows) end() error {
	c.out.Flush()
	if n := len(c.part); n > 0 && c.out.Error() == nil {
		return fmt.Errorf("its %s of %d; use --raw to write the bytes", unfilled(int64(n)), c.dtype.Size)
	}
	return c.out.Error()
}

// Write implements io.Writer.
func (c *csvRows) Write(p []byte) (int, error) {
	n := len(p)
	size := c.dtype.Size
	if len(c.part) > 0 {
		k := min(size-len(c.part), len(p))
		c.part = append(c.part, p[:k]...)
		p = p[k:]
		if len(c.part) < size {
			return n, nil
		}
		if err := c.put(c.part); err != nil {
			return 0, err
		}
		c.part = c.part[:0]
	}
	for ; len(p) >= size; p = p[size:] {
		if err := c.put(p[:size]); err != nil {
			return 0, err
		}
	}
	c.part = append(c.part, p...)
	return n, nil
}

func (c *csvRows) put(item []byte) error {
	c.row = csvCells(c.row[:0], c.dtype, item)
	if c.form.empty {
		for i, cell := range c.row {
			if cell == "NaN" || cell == "NaT" {
				c.row[i] = ""
			}
		}
	}
	return writeCells(c.out, c.to, c.row)
}
