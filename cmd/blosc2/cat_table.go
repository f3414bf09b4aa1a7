package main

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	tables "github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// rows prints a table, or a sequence of objects of a store, and reports whether the
// name is that of one, or of a group.
func (c *catCmd) rows(e *env, out io.Writer, name string) (is bool, err error) {
	file, key, inside := splitStore(name)
	if !inside {
		key = "/"
		if !isStore(name) {
			return false, nil
		}
	}
	s, err := e.openStore(file)
	if err != nil {
		return true, err
	}
	defer s.Close()
	defer e.costOf(s.far)
	n, err := s.Node(key)
	if err != nil {
		return true, s.unknown(key, err)
	}
	switch n.Kind() {
	case tree.KindTable:
		t, err := tables.Open(s.Store, key)
		if err != nil {
			return true, err
		}
		return true, c.table(e, out, t)
	case tree.KindGroup:
		return true, fmt.Errorf("is a store or a group of one, not an array or a table; \"blosc2 ls\" lists it")
	case tree.KindObjects, tree.KindBatches, tree.KindList:
		return true, c.items(out, n)
	}
	return false, nil
}

// isSequence reports whether a view is that of a frame that holds objects.
func isSequence(v *view) (n *tree.Node, ok bool) {
	if v.target.frame == nil {
		return nil, false
	}
	n = tree.FromFrame(v.target.frame)
	switch n.Kind() {
	case tree.KindObjects, tree.KindBatches, tree.KindList:
		return n, true
	}
	return nil, false
}

// span parses the window of rows: an index or START:STOP.
func (c *catCmd) span(n int64) (from, to int64, err error) {
	window := strings.TrimSpace(c.Window)
	if window == "" {
		return 0, n, nil
	}
	s := &selection{}
	s.Window, s.backward = append(s.Window, allRows(n)), []bool{false}
	if err := s.place(strings.Trim(window, "[]"), []int64{n}); err != nil {
		return 0, 0, misusef("rows %s of %s: %s", window, commas(n), plain(err))
	}
	if s.backward[0] || s.Window[0].Step > 1 {
		return 0, 0, misusef("rows %s: must be an index or START:STOP", window)
	}
	return s.Window[0].Start, s.Window[0].Stop, nil
}

// items prints objects as lines of JSON.
func (c *catCmd) items(to io.Writer, n *tree.Node) error {
	if c.CSV || c.Raw || c.Columns != nil {
		return misusef("a sequence of objects is printed as lines of JSON alone")
	}
	out := bufio.NewWriter(to)
	var line []byte
	each := func(v any) error {
		line = append(appendValue(line[:0], v), '\n')
		_, err := out.Write(line)
		return err
	}
	err := c.objects(n, each)
	if err = errors.Join(err, out.Flush()); left(err) {
		return nil
	}
	return err
}

// objects calls each for the selected items.
func (c *catCmd) objects(n *tree.Node, each func(v any) error) error {
	var o *tree.Objects
	var b *tree.Batches
	var err error
	switch n.Kind() {
	case tree.KindObjects:
		o, err = n.Objects()
	case tree.KindBatches:
		b, err = n.Batches()
	default:
		var l *tree.List
		if l, err = n.List(); err == nil {
			o, b = l.Sequence()
		}
	}
	if err != nil {
		return err
	}
	if o != nil {
		from, to, err := c.span(o.Len())
		if err != nil {
			return err
		}
		for i := from; i < to; i++ {
			v, err := o.Item(i)
			if err == nil {
				err = each(v)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if c.Window != "" {
		return misusef("rows of a batch array cannot be selected: it is printed as a whole")
	}
	if b.Arrow() {
		return fmt.Errorf("its batches are Arrow streams, which this program does not read: %w", errKind)
	}
	for v, err := range b.Items() {
		if err == nil {
			err = each(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// table prints rows of a table: aligned on a terminal, as lines of JSON, or as
// comma-separated values.
func (c *catCmd) table(e *env, to io.Writer, t *tables.Table) error {
	if c.Raw {
		return misusef("--raw: a table has no raw items; --csv and --json print its rows")
	}
	if c.DType != "" {
		return misusef("--dtype: the columns of a table have types of their own")
	}
	from, stop, err := c.span(t.Len())
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(to, 1<<16)
	w := rowWriter(&csvLines{out: out})
	switch {
	case c.JSON:
		w = &jsonLines{out: out}
	case c.Table:
		w = &alignedLines{to: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0), from: from}
	}
	names := c.Columns
	if names == nil {
		for _, s := range t.Schema().Columns {
			names = append(names, s.Name)
		}
	}
	var columns []*tables.Column
	for _, name := range names {
		col, err := t.Column(name)
		if err != nil {
			return c.unknownColumn(t, name, err)
		}
		columns = append(columns, col)
	}
	err = w.head(columns)
	if err == nil {
		for r, errRow := range t.Rows(from, stop, names...) {
			if err = errRow; err == nil {
				err = w.row(r)
			}
			if err != nil {
				break
			}
		}
	}
	if err = errors.Join(err, w.end(), out.Flush()); left(err) {
		return nil
	}
	return err
}

func (c *catCmd) unknownColumn(t *tables.Table, name string, err error) error {
	var names []string
	for _, s := range t.Schema().Columns {
		if names = append(names, s.Name); s.Name == name {
			return err // of the column itself
		}
	}
	for _, s := range t.Schema().Computed {
		if s.Name == name {
			return fmt.Errorf("column %q is computed by %s, which is not executed", name, s.Expression)
		}
	}
	return misusef("--columns %s: the table has %s", name, join(names))
}

// A rowWriter writes the rows of a table.
type rowWriter interface {
	head(columns []*tables.Column) error
	row(r *tables.Row) error
	end() error
}

// jsonLines writes an object a row.
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

// timeText writes a timestamp as RFC 3339 has it.
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

// appendField appends a field, in quotes where it needs them.
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

// alignedLines writes columns that are aligned, with the numbers of rows.
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

// alignedTogether is how many rows are aligned with each other.
const alignedTogether = 1000

func (w *alignedLines) end() error { return w.to.Flush() }
