package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/rows"
	tables "github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// rows prints a table, or a sequence of objects, of a store. It reports whether name is
// a table, a sequence or a group.
func (c *catCmd) rows(e *env, out io.Writer, name string) (is bool, err error) {
	s, n, err := e.openNode(name)
	if err != nil || s == nil {
		return err != nil, err
	}
	defer s.Close()
	defer e.costOf(s.far)
	switch n.Kind() {
	case tree.KindTable:
		t, err := tables.Open(s.Store, n.Key())
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

// isSequence reports whether a view shows a frame that holds objects.
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

// span parses the window of a table of n rows: an index or START:STOP.
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
		return misusef("a sequence of objects is printed only as lines of JSON")
	}
	out := bufio.NewWriter(to)
	var line []byte
	each := func(v any) error {
		line = append(rows.AppendValue(line[:0], v), '\n')
		_, err := out.Write(line)
		return err
	}
	err := c.objects(n, each)
	if err = errors.Join(err, out.Flush()); left(err) {
		return nil
	}
	return err
}

// objects calls each with every selected item.
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
		return misusef("--dtype: the columns of a table have their own types")
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
			return err // the column exists, so err describes it
		}
	}
	for _, s := range t.Schema().Computed {
		if s.Name == name {
			return fmt.Errorf("column %q is computed by %s, which is not executed", name, s.Expression)
		}
	}
	return misusef("--columns %s: the table has %s", name, join(names))
}
