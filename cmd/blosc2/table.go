package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/meta"
)

// A table is the output of cat on a terminal: rows of aligned cells with the indices
// of rows and columns, no wider than the terminal.
type table struct {
	out     *bufio.Writer
	width   int // width of the terminal, in columns
	dots    string
	sel     *selection
	rows    []axis // the dimensions before the dimension of the columns
	columns axis
	names   []string // names of the columns, if the items are structures
	wrapped bool     // each line holds several items of the only dimension
	cells   int64    // number of cells in the current row
	row     []string
	at      int64 // number of complete rows so far
	probe   [][]string
	layout  *layout
	dtype   meta.DType
	perItem int
}

// An axis holds the indices of the items along a dimension.
type axis struct {
	start, step, n int64
}

func (a axis) place(i int64) int64 { return a.start + i*a.step }

// tableProbe is the number of rows that determine the widths of columns.
const tableProbe = 200

// newTable returns a table of a selection.
func newTable(out io.Writer, width int, ascii bool, s *selection) *table {
	t := &table{out: bufio.NewWriter(out), width: max(width, 20), dots: "…", sel: s, dtype: s.dtype, perItem: 1}
	if ascii {
		t.dots = "..."
	}
	var axes []axis
	for d, span := range s.Window {
		switch {
		case span.Drop:
		case s.backward[d]:
			axes = append(axes, axis{span.Start + (span.Len()-1)*span.Step, -span.Step, span.Len()})
		default:
			axes = append(axes, axis{span.Start, span.Step, span.Len()})
		}
	}
	for _, n := range s.inner {
		axes = append(axes, axis{0, 1, int64(n)})
	}
	n := len(axes)
	switch names := csvHeader(s.dtype); {
	case names != nil && len(s.inner) == 0:
		t.names, t.rows, t.columns = names, axes, axis{0, 1, int64(len(names))}
		t.perItem = len(names)
	case n == 0:
		t.columns = axis{0, 1, 1}
	default:
		t.rows, t.columns = axes[:n-1], axes[n-1]
		t.wrapped = n == 1
	}
	return t
}

// head writes the title of the table, cut to the width of the terminal.
func (t *table) head(text string) {
	if r := []rune(text); len(r) > t.width {
		text = string(r[:t.width-len(t.dots)]) + t.dots
	}
	t.out.WriteString(text + "\n")
}

// item adds an item.
func (t *table) item(b []byte) error {
	if t.names != nil {
		t.row = csvCells(t.row, t.dtype, b)
		t.cells = t.columns.n
	} else {
		if t.keeps(t.cells) {
			t.row = append(t.row, short(t.dtype, b))
		}
		t.cells++
	}
	if t.wrapped && t.layout == nil && t.cells < min(t.columns.n, tableProbe*8) {
		return nil
	}
	if t.wrapped {
		return t.wrap()
	}
	if t.cells < t.columns.n {
		return nil
	}
	return t.endRow()
}

// keeps reports whether a column may be shown regardless of its width.
func (t *table) keeps(i int64) bool {
	most := int64(t.width)/2 + 1
	return t.wrapped || i < most || i >= t.columns.n-most
}

// endRow writes a row, or keeps it until there are enough to determine the widths
// of the columns.
func (t *table) endRow() error {
	row := t.row
	t.cells, t.row = 0, nil
	if t.layout == nil {
		t.probe = append(t.probe, row)
		if len(t.probe) < tableProbe {
			return nil
		}
		return t.chooseLayout()
	}
	return t.line(row)
}

// chooseLayout chooses the layout, and writes the rows that were kept.
func (t *table) chooseLayout() error {
	t.layout = t.arrange()
	for _, row := range t.probe {
		if err := t.line(row); err != nil {
			return err
		}
	}
	t.probe = nil
	return nil
}

// wrap writes the items of one dimension, as many on a line as fit.
func (t *table) wrap() error {
	if t.layout == nil {
		t.probe = [][]string{t.row}
		t.layout = t.arrange()
		t.probe = nil
		t.layout.head = roundCount(t.layout.head)
	}
	for int64(len(t.row)) >= t.layout.head {
		if err := t.wrapLine(t.row[:t.layout.head]); err != nil {
			return err
		}
		t.row = t.row[t.layout.head:]
	}
	return nil
}

func (t *table) wrapLine(cells []string) error {
	fmt.Fprintf(t.out, "%*d", t.layout.label, t.columns.place(t.at))
	for _, c := range cells {
		t.cell(c, t.layout.widths[0], false)
	}
	t.at += int64(len(cells))
	return t.out.WriteByte('\n')
}

// roundCount returns a round number of items for a line, at most n.
func roundCount(n int64) int64 {
	for _, m := range []int64{50, 25, 20, 10, 5, 4, 2} {
		if n >= m {
			return m
		}
	}
	return 1
}

// line writes a row, after the indices of the columns if it is the first of a
// plane.
func (t *table) line(row []string) error {
	if n := len(t.rows); t.at == 0 || n > 1 && t.at%t.rows[n-1].n == 0 {
		t.plane()
	}
	label := strings.Repeat(" ", t.layout.label)
	if n := len(t.rows); n > 0 {
		label = fmt.Sprintf("%*d", t.layout.label, t.rows[n-1].place(t.at%t.rows[n-1].n))
	}
	t.out.WriteString(label)
	t.at++
	l := t.layout
	for i := range l.head {
		t.cell(row[i], l.width(i), t.isText(int(i)))
	}
	if l.elided {
		t.out.WriteString("  " + t.dots)
	}
	for i := range l.tail {
		t.cell(row[int64(len(row))-l.tail+i], l.width(i), false)
	}
	return t.out.WriteByte('\n')
}

// isText reports whether a column holds text, which is aligned to the left.
func (t *table) isText(i int) bool {
	d := t.dtype
	if t.names != nil && i < len(d.Fields) && t.perItem == len(d.Fields) {
		d = d.Fields[i].Type
	}
	return d.Kind == meta.Bytes || d.Kind == meta.Unicode
}

// cell writes a cell, cut to its column.
func (t *table) cell(text string, width int, left bool) {
	text = printable(text)
	n := utf8.RuneCountInString(text)
	if n > width && t.names != nil {
		keep := max(0, width-utf8.RuneCountInString(t.dots))
		text = string([]rune(text)[:keep]) + t.dots
		n = utf8.RuneCountInString(text)
	}
	pad := strings.Repeat(" ", max(0, width-n))
	if left {
		t.out.WriteString("  " + text + pad)
	} else {
		t.out.WriteString("  " + pad + text)
	}
}

// plane writes the index of the next plane and the indices of its columns.
func (t *table) plane() {
	if n := len(t.rows); n > 1 {
		if t.at > 0 {
			t.out.WriteByte('\n')
		}
		at, text := t.at/t.rows[n-1].n, ":, :]\n"
		if t.names != nil { // the columns are the fields of structures
			text = ":]\n"
		}
		for d := n - 2; d >= 0; d-- {
			text = strconv.FormatInt(t.rows[d].place(at%t.rows[d].n), 10) + ", " + text
			at /= t.rows[d].n
		}
		t.out.WriteString("[" + text)
	}
	l := t.layout
	t.out.WriteString(strings.Repeat(" ", l.label))
	name := func(i int64) string {
		if t.names != nil {
			return t.names[i]
		}
		return strconv.FormatInt(t.columns.place(i), 10)
	}
	for i := range l.head {
		t.cell(name(i), l.width(i), t.isText(int(i)))
	}
	if l.elided {
		t.out.WriteString("  " + t.dots)
	}
	for i := range l.tail {
		t.cell(name(t.columns.n-l.tail+i), l.width(i), false)
	}
	t.out.WriteByte('\n')
}

// end writes the remaining rows.
func (t *table) end() error {
	if t.wrapped && len(t.row) > 0 {
		if err := t.wrap(); err != nil {
			return err
		}
		if len(t.row) > 0 {
			if err := t.wrapLine(t.row); err != nil {
				return err
			}
		}
	}
	if t.probe != nil {
		if err := t.chooseLayout(); err != nil {
			return err
		}
	}
	return t.out.Flush()
}

func digits(n int64) int { return len(strconv.FormatInt(n, 10)) }

// short formats an item for a table, with few digits.
func short(d meta.DType, b []byte) string {
	s := text(d, b)
	if d.Kind == meta.Float && len(s) > 10 {
		if f, ok := real64(d, b); ok {
			return strconv.FormatFloat(f, 'g', 7, 64)
		}
	}
	return s
}
