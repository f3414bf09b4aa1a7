package main

import (
	"bufio"
	"encoding/base64"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

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
	for i, c := range columns {
		key := []byte{","[0]}
		if i == 0 {
			key[0] = '{'
		}
		w.keys = append(w.keys, append(appendText(key, c.Spec().Name), ':'))
	}
	return nil
}

func (w *jsonLines) row(r *tables.Row) error {
	w.line = w.line[:0]
	for i, c := range r.Columns() {
		w.line = append(w.line, w.keys[i]...)
		v := r.Value(i)
		switch c.Spec().Kind {
		case tables.Timestamp:
			if n, ok := v.(int64); ok {
				v = timeText(n, c.Spec().Unit)
			}
		case tables.NDArray:
			if b, ok := v.([]byte); ok {
				w.line = appendItems(w.line, c, b)
				continue
			}
		}
		w.line = appendValue(w.line, v)
	}
	w.line = append(w.line, "}\n"...)
	_, err := w.out.Write(w.line)
	return err
}

func (w *jsonLines) end() error { return nil }

// appendItems appends the items of an ndarray column's row as a list.
func appendItems(dst []byte, c *tables.Column, b []byte) []byte {
	d := c.ItemType()
	dst = append(dst, '[')
	for i := 0; len(b) >= d.Size && d.Size > 0; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		word := text(d, b[:d.Size])
		if _, err := strconv.ParseFloat(word, 64); err == nil && strings.Trim(word, "0123456789+-.eE") == "" || word == "true" || word == "false" {
			dst = append(dst, word...)
		} else {
			dst = appendText(dst, word)
		}
		b = b[d.Size:]
	}
	return append(dst, ']')
}

// cell formats a value for people and for comma-separated values. Null is "".
func cell(dst []byte, c *tables.Column, v any) []byte {
	switch v := v.(type) {
	case nil:
		return dst
	case string:
		return append(dst, v...)
	case []byte:
		if c.Spec().Kind == tables.NDArray {
			return appendItems(dst, c, v)
		}
		return base64.StdEncoding.AppendEncode(dst, v)
	case int64:
		if c.Spec().Kind == tables.Timestamp {
			return append(dst, timeText(v, c.Spec().Unit)...)
		}
		return strconv.AppendInt(dst, v, 10)
	case int32:
		return strconv.AppendInt(dst, int64(v), 10)
	case float64:
		return strconv.AppendFloat(dst, v, 'g', -1, 64)
	case float32:
		return strconv.AppendFloat(dst, float64(v), 'g', -1, 32)
	case complex64:
		return append(dst, strconv.FormatComplex(complex128(v), 'g', -1, 64)...)
	case complex128:
		return append(dst, strconv.FormatComplex(v, 'g', -1, 128)...)
	}
	return appendValue(dst, v)
}

// timeText formats a timestamp as in RFC 3339.
func timeText(n int64, unit string) string {
	var t time.Time
	switch unit {
	case "s":
		t = time.Unix(n, 0)
	case "ms":
		t = time.UnixMilli(n)
	case "us":
		t = time.UnixMicro(n)
	default:
		t = time.Unix(0, n)
	}
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return strconv.FormatInt(n, 10)
	}
	return t.Format("2006-01-02T15:04:05.999999999Z")
}

// csvLines writes comma-separated values, which AppendCSV of package table reads
// back: null is an empty field, an empty string a quoted one.
type csvLines struct {
	out     *bufio.Writer
	columns []*tables.Column
	line    []byte
	field   []byte
}

func (w *csvLines) head(columns []*tables.Column) error {
	w.columns = columns
	for i, c := range columns {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		w.line = appendField(w.line, []byte(c.Spec().Name), true)
	}
	return w.flush()
}

func (w *csvLines) row(r *tables.Row) error {
	for i, c := range w.columns {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		v := r.Value(i)
		w.field = cell(w.field[:0], c, v)
		w.line = appendField(w.line, w.field, v != nil)
	}
	return w.flush()
}

func (w *csvLines) flush() error {
	w.line = append(w.line, '\n')
	_, err := w.out.Write(w.line)
	w.line = w.line[:0]
	return err
}

func (w *csvLines) end() error { return nil }

// appendField appends a field, in quotes if necessary.
func appendField(dst, field []byte, quoteEmpty bool) []byte {
	if len(field) == 0 && quoteEmpty {
		return append(dst, `""`...)
	}
	for _, c := range field {
		if c == ',' || c == '"' || c == '\n' || c == '\r' {
			dst = append(dst, '"')
			for _, c := range field {
				if c == '"' {
					dst = append(dst, '"')
				}
				dst = append(dst, c)
			}
			return append(dst, '"')
		}
	}
	return append(dst, field...)
}

// alignedLines writes aligned columns, with row numbers.
type alignedLines struct {
	to      *tabwriter.Writer
	columns []*tables.Column
	from    int64
	n       int
	line    []byte
}

func (w *alignedLines) head(columns []*tables.Column) error {
	w.columns = columns
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
	for i, c := range w.columns {
		v := r.Value(i)
		word := "null"
		if v != nil {
			word = shown(abridge(string(cell(nil, c, v))))
		}
		w.line = append(append(w.line, '\t'), word...)
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

// alignedTogether is the number of rows to align with each other.
const alignedTogether = 1000

func (w *alignedLines) end() error { return w.to.Flush() }
