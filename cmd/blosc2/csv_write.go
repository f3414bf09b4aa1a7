package main

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// A csvForm describes how rows are written.
type csvForm struct {
	comma  rune
	header []string // nil: no header
	empty  bool     // NaN and NaT are empty cells
}

// csvFormOf reads the metalayer, if there is one.
func csvFormOf(layers []meta.Layer) (form csvForm, ok bool) {
	value, ok := meta.Find(layers, csvLayer)
	if !ok {
		return form, false
	}
	said, err := meta.Decode(value)
	m, isMap := said.(meta.Map)
	if err != nil || !isMap {
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

// csvCells appends the cells of an item: those of its fields if it is a structure.
// Text is not quoted; the csv.Writer does that.
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
		return strings.TrimRight(characters(d, b), "\x00")
	}
	return text(d, b)
}

// writeCells writes a row with out, which writes to w. A row of one empty cell is quoted,
// since an empty line is not a row.
func writeCells(out *csv.Writer, w io.Writer, row []string) error {
	if len(row) != 1 || row[0] != "" {
		return out.Write(row)
	}
	out.Flush()
	_, err := io.WriteString(w, "\"\"\n")
	return errors.Join(out.Error(), err)
}

// csvHeader returns the names of the cells of an item, nil if the item is not a
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
	d := a.DType()
	out := csv.NewWriter(w)
	out.Comma = form.comma
	if form.header != nil {
		if err := writeCells(out, w, form.header); err != nil {
			return err
		}
	}
	rows := &csvRows{to: w, out: out, dtype: d, missing: form.empty}
	if _, err := a.WriteTo(rows); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// csvRows converts items to rows.
type csvRows struct {
	to      io.Writer
	out     *csv.Writer
	dtype   meta.DType
	row     []string
	part    []byte // of an item
	missing bool   // NaN and NaT are empty cells
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
	if c.missing {
		for i, cell := range c.row {
			if cell == "NaN" || cell == "NaT" {
				c.row[i] = ""
			}
		}
	}
	return writeCells(c.out, c.to, c.row)
}
