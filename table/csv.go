package table

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/seed03b80dae/blosc2"
)

// csvRows is how many rows of CSV are collected for the columns.
const csvRows = 8192

// maxLine is the longest line of CSV, in bytes.
const maxLine = 64 << 20

// AppendCSV adds the rows of a CSV text, as RFC 4180 has it, to b. Its first line
// names the columns, in any order; columns of b that it does not name are null. A
// field that is empty and not quoted is null where the column is Nullable.
// Timestamps are written as RFC 3339 has them, with or without a zone or time, or
// are counts of the column's unit. Lists, arrays and complex numbers are refused.
//
// n counts the rows. An error says in what line it is; the rows before it, in
// whole batches, were added.
func (b *Builder) AppendCSV(r io.Reader) (n int64, err error) {
	c := &csvReader{r: bufio.NewReaderSize(r, 1<<20)}
	names, err := c.line()
	if err != nil {
		return 0, err
	}
	cells := make([]*csvCells, len(b.specs))
	for i := range b.specs {
		if cells[i], err = newCSVCells(&b.specs[i]); err != nil {
			return 0, err
		}
	}
	places := make([]*csvCells, len(names)) // of the fields of a line
	for i, f := range names {
		for k := range b.specs {
			if b.specs[k].Name == string(f.text) {
				places[i] = cells[k]
			}
		}
		if places[i] == nil || places[i].named {
			return 0, &blosc2.OptionError{Option: "column of CSV", Value: string(f.text), Range: "one of the table, once"}
		}
		places[i].named = true
	}
	for rows := 0; ; {
		fields, err := c.line()
		if err != nil && err != io.EOF {
			return n, err
		}
		if err == io.EOF || rows == csvRows {
			if err := b.appendCSV(cells); err != nil {
				return n, err
			}
			n += int64(rows)
			rows = 0
		}
		if err == io.EOF {
			return n, nil
		}
		if len(fields) != len(places) {
			return n, c.errorf("%d fields, the first line has %d", len(fields), len(places))
		}
		for i, f := range fields {
			if err := places[i].add(f); err != nil {
				return n, c.errorf("column %q: %v", places[i].spec.Name, err)
			}
		}
		for _, p := range cells {
			if !p.named {
				if err := p.add(csvField{}); err != nil {
					return n, c.errorf("column %q is missing", p.spec.Name)
				}
			}
		}
		rows++
	}
}

// appendCSV adds the collected rows.
func (b *Builder) appendCSV(cells []*csvCells) error {
	all := make([]Cells, len(cells))
	for i, c := range cells {
		all[i] = c.take()
	}
	return b.Append(all...)
}

// csvField is a field of a line.
type csvField struct {
	text   []byte
	quoted bool
}

// csvReader splits CSV into fields.
type csvReader struct {
	r      *bufio.Reader
	fields []csvField
	whole  []byte
	lines  int64
}

func (c *csvReader) errorf(format string, args ...any) error {
	return fmt.Errorf("blosc2: CSV, line %d: %w: "+format, append([]any{c.lines, blosc2.ErrCorrupt}, args...)...)
}

// line returns the fields of the next line, which are valid until the next call.
// Empty lines are left out.
func (c *csvReader) line() ([]csvField, error) {
	for {
		b, err := c.read()
		if err != nil {
			return nil, err
		}
		if len(b) == 0 {
			continue
		}
		c.fields = c.fields[:0]
		if bytes.IndexByte(b, '"') >= 0 {
			return c.quotedLine(b)
		}
		for {
			i := bytes.IndexByte(b, ',')
			if i < 0 {
				c.fields = append(c.fields, csvField{text: b})
				return c.fields, nil
			}
			c.fields = append(c.fields, csvField{text: b[:i]})
			b = b[i+1:]
		}
	}
}

// read returns a line without its end, and goes on where a quoted field has line
// breaks.
func (c *csvReader) read() ([]byte, error) {
	c.whole = c.whole[:0]
	for {
		b, err := c.r.ReadSlice('\n')
		switch {
		case err == io.EOF && len(b)+len(c.whole) == 0:
			return nil, io.EOF
		case err != nil && err != io.EOF && err != bufio.ErrBufferFull:
			return nil, err
		}
		ended := err != bufio.ErrBufferFull
		if ended {
			c.lines++
		}
		if ended && len(c.whole) == 0 && bytes.Count(b, []byte{'"'})%2 == 0 {
			return trimLine(b), nil
		}
		if c.whole = append(c.whole, b...); len(c.whole) > maxLine {
			return nil, blosc2.Errorf(blosc2.PartBlock, blosc2.ErrTooLarge, "CSV, line %d: more than %d bytes", c.lines, maxLine)
		}
		if open := bytes.Count(c.whole, []byte{'"'})%2 != 0; ended && !open {
			return trimLine(c.whole), nil
		} else if open && err == io.EOF {
			return nil, c.errorf("a quote without its end")
		}
	}
}

func trimLine(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

// quotedLine splits a line in which there are quotes.
func (c *csvReader) quotedLine(b []byte) ([]csvField, error) {
	for {
		f := csvField{}
		rest := b
		if len(b) > 0 && b[0] == '"' {
			f.quoted = true
			for rest = b[1:]; ; {
				i := bytes.IndexByte(rest, '"')
				if i < 0 {
					return nil, c.errorf("a quote without its end")
				}
				f.text = append(f.text, rest[:i]...)
				if rest = rest[i+1:]; len(rest) == 0 || rest[0] != '"' {
					break
				}
				f.text = append(f.text, '"')
				rest = rest[1:]
			}
			if len(rest) > 0 && rest[0] != ',' {
				return nil, c.errorf("%q after a quoted field", rest[0])
			}
		} else {
			i := bytes.IndexByte(b, ',')
			if i < 0 {
				i = len(b)
			}
			f.text, rest = b[:i], b[i:]
			if bytes.IndexByte(f.text, '"') >= 0 {
				return nil, c.errorf("a quote within a field that does not begin with one")
			}
		}
		c.fields = append(c.fields, f)
		if len(rest) == 0 {
			return c.fields, nil
		}
		b = rest[1:]
	}
}

// csvCells collects the values of a column.
type csvCells struct {
	spec  *Spec
	named bool
	parse func(text string, null bool) error
	take  func() Cells
	valid []bool
	nulls bool
}

func newCSVCells(s *Spec) (*csvCells, error) {
	c := &csvCells{spec: s}
	switch s.Kind {
	case Int8:
		collect(c, integer[int8](8))
	case Int16:
		collect(c, integer[int16](16))
	case Int32:
		collect(c, integer[int32](32))
	case Int64:
		collect(c, integer[int64](64))
	case Uint8:
		collect(c, unsigned[uint8](8))
	case Uint16:
		collect(c, unsigned[uint16](16))
	case Uint32:
		collect(c, unsigned[uint32](32))
	case Uint64:
		collect(c, unsigned[uint64](64))
	case Float32:
		collect(c, func(s string) (float32, error) { f, err := strconv.ParseFloat(s, 32); return float32(f), err })
	case Float64:
		collect(c, parseFloat)
	case Bool:
		collect(c, strconv.ParseBool)
	case Timestamp:
		collect(c, func(text string) (int64, error) { return parseTime(text, s.Unit) })
	case String, UTF8, VLString:
		collect(c, func(s string) (string, error) { return strings.Clone(s), nil })
	case Dictionary:
		words := map[string]string{}
		collect(c, func(s string) (string, error) {
			w, ok := words[s]
			if !ok {
				w = strings.Clone(s)
				words[w] = w
			}
			return w, nil
		})
	case Bytes, VLBytes:
		collect(c, func(s string) ([]byte, error) { return []byte(s), nil })
	default:
		return nil, &blosc2.OptionError{Option: "kind of column " + s.Name, Value: s.Kind, Range: "one that CSV can hold"}
	}
	return c, nil
}

func integer[T ~int8 | ~int16 | ~int32 | ~int64](bits int) func(string) (T, error) {
	return func(s string) (T, error) { n, err := strconv.ParseInt(s, 10, bits); return T(n), err }
}

func unsigned[T ~uint8 | ~uint16 | ~uint32 | ~uint64](bits int) func(string) (T, error) {
	return func(s string) (T, error) { n, err := strconv.ParseUint(s, 10, bits); return T(n), err }
}

// collect has c collect values that parse makes of text, which is overwritten
// later.
func collect[T any](c *csvCells, parse func(text string) (T, error)) {
	var values []T
	c.parse = func(text string, null bool) error {
		var v T
		var err error
		if !null {
			v, err = parse(text)
		}
		values = append(values, v)
		return err
	}
	c.take = func() Cells {
		out := Cells{Values: values}
		if c.nulls {
			out.Valid = c.valid
		}
		values, c.valid, c.nulls = values[:0], c.valid[:0], false
		return out
	}
}

// add adds the value of a field.
func (c *csvCells) add(f csvField) error {
	null := len(f.text) == 0 && !f.quoted && c.spec.Nullable
	c.valid = append(c.valid, !null)
	c.nulls = c.nulls || null
	return c.parse(unsafe.String(unsafe.SliceData(f.text), len(f.text)), null)
}

// timeLayouts are how timestamps may be written.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02"}

func parseTime(text, unit string) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return timestampOf(t, unit), nil
		}
	}
	return 0, fmt.Errorf("%q is not a time", text)
}

// InferCSV finds columns for a CSV text of which it reads the first lines: int64,
// float64, bool, timestamp or utf8, whatever all values fit, and Nullable. The
// text must then be read from its start.
func InferCSV(r io.Reader) ([]Spec, error) {
	c := &csvReader{r: bufio.NewReaderSize(r, 1<<20)}
	names, err := c.line()
	if err != nil {
		return nil, err
	}
	var out []Spec
	var fits [][]Kind
	for _, f := range names {
		out = append(out, Spec{Name: string(f.text), Kind: UTF8, Nullable: true})
		fits = append(fits, []Kind{Int64, Float64, Bool, Timestamp})
	}
	seen := make([]bool, len(out))
	for range csvRows {
		fields, err := c.line()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(fields) != len(out) {
			return nil, c.errorf("%d fields, the first line has %d", len(fields), len(out))
		}
		for i, f := range fields {
			if len(f.text) == 0 && !f.quoted {
				continue
			}
			seen[i] = true
			var left []Kind
			for _, k := range fits[i] {
				if cells, err := newCSVCells(&Spec{Kind: k, Unit: "us"}); err == nil && cells.add(f) == nil && !f.quoted {
					left = append(left, k)
				}
			}
			fits[i] = left
		}
	}
	for i := range out {
		if seen[i] && len(fits[i]) > 0 {
			if out[i].Kind = fits[i][0]; out[i].Kind == Timestamp {
				out[i].Unit = "us"
			}
		}
	}
	return out, nil
}
