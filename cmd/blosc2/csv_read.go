package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
)

// csvLayer is the metalayer of an array made from comma-separated values. It holds a
// map of the separator and of the names of the columns, which are nil if there is no
// header.
const csvLayer = "csv"

// A csvTable is a file of comma-separated values as an array of structures.
type csvTable struct {
	file   file
	comma  rune
	header []string // nil if the file has no header
	dtype  meta.DType
	rows   int64
	empty  bool // missing numbers and dates are empty cells, not NaN
}

func le32(b []byte, n uint32) []byte { return binary.LittleEndian.AppendUint32(b, n) }
func le64(b []byte, n uint64) []byte { return binary.LittleEndian.AppendUint64(b, n) }

// readCSV reads the whole file to determine the types of the columns. It calls read
// with the number of bytes read so far.
func readCSV(f file, read func(n int64)) (*csvTable, error) {
	t := &csvTable{file: f}
	r, err := t.reader()
	if err != nil {
		return nil, err
	}
	first, err := r.Read()
	if err == io.EOF {
		return nil, errEmpty
	}
	if err != nil {
		return nil, err
	}
	if err := checkText(r, first); err != nil {
		return nil, err
	}
	first = slices.Clone(first)
	columns := make([]csvColumn, len(first))
	for i := range columns {
		columns[i] = newCSVColumn()
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := checkText(r, row); err != nil {
			return nil, err
		}
		for i, cell := range row {
			columns[i].see(cell)
		}
		if t.rows++; t.rows%1024 == 0 {
			read(r.InputOffset())
		}
	}
	t.header = first
	if !isHeader(first, columns) {
		t.header = nil
		t.rows++
		for i, cell := range first {
			columns[i].see(cell)
		}
	}
	for _, c := range columns {
		t.empty = t.empty || c.empty
	}
	t.dtype, err = structOf(t.header, columns)
	return t, err
}

// checkText returns an error if a cell of the row that r has read last ends in a zero
// byte: text of a fixed width ends before its last zeros.
func checkText(r *csv.Reader, row []string) error {
	for i, cell := range row {
		if strings.HasSuffix(cell, "\x00") {
			line, column := r.FieldPos(i)
			return fmt.Errorf("line %d, column %d: text in an array cannot end in a zero byte; compress the file as bytes, without --csv", line, column)
		}
	}
	return nil
}

// isHeader reports whether a first row has the names of the columns: all of its
// cells are text that is neither a number nor a date. If two are equal, one of the
// columns must hold numbers or dates.
func isHeader(first []string, columns []csvColumn) bool {
	seen := map[string]bool{}
	texts, repeated := 0, false
	for i, cell := range first {
		c := newCSVColumn()
		c.see(cell)
		repeated = repeated || seen[cell]
		if cell == "" || c.dtype()[1] != 'S' && c.dtype()[1] != 'U' {
			return false
		}
		seen[cell] = true
		if d := columns[i].dtype()[1]; d == 'S' || d == 'U' {
			texts++
		}
	}
	return texts < len(first) || !repeated && (columns[0].cells == 0 || len(first) > 1)
}

// structOf returns the type of a row.
func structOf(header []string, columns []csvColumn) (meta.DType, error) {
	d := meta.DType{Kind: meta.Struct, Order: '|'}
	used := map[string]bool{}
	for i, c := range columns {
		t, err := meta.ParseDType(c.dtype())
		if err != nil {
			return d, err
		}
		name := fmt.Sprintf("f%d", i)
		if header != nil && utf8.ValidString(header[i]) {
			name = header[i]
		}
		for k, first := 2, name; used[name]; k++ { // the metalayer csvLayer keeps the original names
			name = fmt.Sprintf("%s_%d", first, k)
		}
		used[name] = true
		d.Fields = append(d.Fields, meta.Field{Name: name, Offset: d.Size, Type: t})
		d.Size += t.Size
	}
	return meta.ParseDType(d.String())
}

// reader returns a reader from the beginning of the file.
func (t *csvTable) reader() (*csv.Reader, error) {
	if _, err := t.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	b := bufio.NewReaderSize(t.file, 64<<10)
	head, err := b.Peek(4 << 10)
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		b.Discard(len("\ufeff"))
	}
	if t.comma == 0 {
		t.comma = commaOf(head)
	}
	r := csv.NewReader(b)
	r.Comma, r.ReuseRecord = t.comma, true
	return r, nil
}

// commaOf returns the separator of the first line: a comma, unless the line has
// more semicolons or tabs.
func commaOf(head []byte) rune {
	line, _, _ := strings.Cut(string(head), "\n")
	comma, most := ',', strings.Count(line, ",")
	for _, c := range ";\t" {
		if n := strings.Count(line, string(c)); n > most {
			comma, most = c, n
		}
	}
	return comma
}

// items returns a reader of the rows.
func (t *csvTable) items() (io.Reader, error) {
	r, err := t.reader()
	if err != nil {
		return nil, err
	}
	if t.header != nil {
		if _, err := r.Read(); err != nil {
			return nil, err
		}
	}
	return &csvItems{rows: r, dtype: t.dtype}, nil
}

// csvItems converts rows to items.
type csvItems struct {
	rows  *csv.Reader
	dtype meta.DType
	buf   []byte
	left  []byte
	err   error
}

// Read implements io.Reader.
func (c *csvItems) Read(p []byte) (int, error) {
	for len(c.left) == 0 {
		if c.err != nil {
			return 0, c.err
		}
		c.buf = c.buf[:0]
		for len(c.buf) < 64<<10 && c.err == nil {
			c.buf, c.err = c.row(c.buf)
		}
		c.left = c.buf
	}
	n := copy(p, c.left)
	c.left = c.left[n:]
	return n, nil
}

func (c *csvItems) row(dst []byte) ([]byte, error) {
	row, err := c.rows.Read()
	if err != nil {
		return dst, err
	}
	whole := len(dst)
	for i, cell := range row {
		if dst, err = putCell(dst, c.dtype.Fields[i].Type, cell); err != nil {
			line, column := c.rows.FieldPos(i)
			return dst[:whole], fmt.Errorf("line %d, column %d: %w", line, column, err)
		}
	}
	return dst, nil
}

// layer returns the metalayer csvLayer, which holds what is needed to restore the file
// and is not in the array.
func (t *csvTable) layer() (meta.Layer, error) {
	var names any
	if t.header != nil {
		all := []any{}
		for _, name := range t.header {
			all = append(all, name)
		}
		names = all
	}
	value, err := meta.Encode(nil, meta.Map{{Key: "comma", Value: string(t.comma)}, {Key: "header", Value: names}, {Key: "empty", Value: t.empty}})
	return meta.Layer{Name: csvLayer, Value: value}, err
}

// csvContent describes the array of a file of comma-separated values. A pipe is
// copied to a temporary file first, because the input is read twice.
func csvContent(f file, read func(n int64)) (*content, error) {
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != 0 {
		if f, err = spool(f); err != nil {
			return nil, err
		}
	}
	t, err := readCSV(f, read)
	if err != nil {
		return nil, err
	}
	c := &content{array: &b2nd.Spec{DType: t.dtype.String(), Shape: []int64{t.rows}}}
	if c.data, err = t.items(); err != nil {
		return nil, err
	}
	layer, err := t.layer()
	c.layers = []meta.Layer{layer}
	return c, err
}

// plainCSV opens a file of comma-separated values as an array, for a view.
func plainCSV(f file) (*plainFile, error) {
	t, err := readCSV(f, func(int64) {})
	if err != nil {
		return nil, err
	}
	items, err := t.items()
	if err != nil {
		return nil, err
	}
	p := &plainFile{kind: kindCSV, shape: []int64{t.rows}, dtype: t.dtype}
	return p, p.spool(items)
}
