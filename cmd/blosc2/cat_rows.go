package main

import (
	"bufio"
	"strconv"
	"text/tabwriter"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/rows"
	tables "github.com/seed03b80dae/blosc2/table"
)

// A rowWriter writes the rows of a table.
type rowWriter interface {
	head(columns []*tables.Column) error
	row(r *tables.Row) error
	end() error
}

// jsonLines writes each row as a JSON object.
type jsonLines struct {
	out  *bufio.Writer
	keys [][]byte
	line []byte
}

func (w *jsonLines) head(columns []*tables.Column) error {
	w.keys = rows.Keys(columns)
	return nil
}

func (w *jsonLines) row(r *tables.Row) error {
	w.line = append(rows.AppendObject(w.line[:0], w.keys, r, false), '\n')
	_, err := w.out.Write(w.line)
	return err
}

func (w *jsonLines) end() error { return nil }

// csvLines writes comma-separated values, which AppendCSV of package table can read.
// Null is an empty field, and an empty string is a field with empty quotes.
type csvLines struct {
	out  *bufio.Writer
	line []byte
}

func (w *csvLines) head(columns []*tables.Column) error {
	_, err := w.out.Write(rows.AppendHeader(nil, columns))
	return err
}

func (w *csvLines) row(r *tables.Row) error {
	w.line = rows.AppendLine(w.line[:0], r)
	_, err := w.out.Write(w.line)
	return err
}

func (w *csvLines) end() error { return nil }

// alignedLines writes aligned columns, with row numbers.
type alignedLines struct {
	to   *tabwriter.Writer
	from int64
	n    int
	line []byte
}

func (w *alignedLines) head(columns []*tables.Column) error {
	w.line = append(w.line, "row"...)
	for _, c := range columns {
		w.line = append(append(w.line, '\t'), shown(c.Spec().Name)...)
	}
	_, err := w.to.Write(append(w.line, '\n'))
	return err
}

func (w *alignedLines) row(r *tables.Row) error {
	w.line = strconv.AppendInt(w.line[:0], w.from, 10)
	w.from++
	for i, c := range r.Columns() {
		w.line = append(append(w.line, '\t'), cellWord(c, r.Value(i))...)
	}
	w.line = append(w.line, '\n')
	if _, err := w.to.Write(w.line); err != nil {
		return err
	}
	if w.n++; w.n%alignedTogether == 0 {
		return w.to.Flush()
	}
	return nil
}

// cellWord returns a value of a table as text for the terminal.
func cellWord(c *tables.Column, v any) string {
	if v == nil {
		return "null"
	}
	return shown(abridge(string(rows.AppendCell(nil, c, v))))
}

// alignedTogether is the number of consecutive rows whose columns are aligned.
const alignedTogether = 1000

func (w *alignedLines) end() error { return w.to.Flush() }
