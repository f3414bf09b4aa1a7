//go:build !wasip1

package main

import (
	"fmt"
	"image/color"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/cells"
	tables "github.com/seed03b80dae/blosc2/table"
)

// A rowsPage shows the rows of a table of a store.
type rowsPage struct {
	name       string
	t          *tables.Table
	columns    []string
	at, left   int64 // the first row and the first column shown
	rows, cols int64 // numbers of rows and columns on the screen
	end        func()
}

func newRowsPage(name string, t *tables.Table, end func()) *rowsPage {
	p := &rowsPage{name: name, t: t, rows: 1, cols: 1, end: end}
	for _, s := range t.Schema().Columns {
		p.columns = append(p.columns, s.Name)
	}
	return p
}

func (p *rowsPage) draw(t *viewer, g *cells.Grid) {
	g.Text(0, 0, g.W, fmt.Sprintf("%s  %s, %s", shown(p.name), count(p.t.Len(), "row"), count(int64(len(p.columns)), "column")), color.RGBA{}, true)
	p.rows = int64(max(g.H-2, 1))
	table, heads, err := p.cells(min(p.rows, p.t.Len()-p.at), int64(g.W)/2+1)
	if err != nil {
		g.Text(0, 1, g.W, plain(err), color.RGBA{}, false)
		return
	}
	p.cols = max(grid(g, table, heads, p.at), 1)
}

// cells returns the text of some rows, and the heads of their columns. It begins with
// the first column shown, and returns at most most columns.
func (p *rowsPage) cells(rows, most int64) (table [][]string, heads []string, err error) {
	names := p.columns[p.left:]
	names = names[:min(int64(len(names)), most)]
	if len(names) == 0 {
		return nil, nil, nil
	}
	for _, name := range names {
		heads = append(heads, shown(name))
	}
	for r, err := range p.t.Rows(p.at, p.at+rows, names...) {
		if err != nil {
			return nil, nil, err
		}
		var row []string
		for i, c := range r.Columns() {
			row = append(row, cellWord(c, r.Value(i)))
		}
		table = append(table, row)
	}
	return table, heads, nil
}

func (p *rowsPage) press(t *viewer, key string) {
	last := int64(max(len(p.columns)-1, 0))
	switch key {
	case "right":
		p.left = min(p.left+int64(max(t.count, 1)), last)
	case "left":
		p.left = max(p.left-int64(max(t.count, 1)), 0)
	default:
		if to, ok := t.moved(key, p.at, p.t.Len(), p.rows); ok {
			if (key == "G" || key == ">") && t.count == 0 {
				to = max(0, p.t.Len()-p.rows)
			}
			p.at = to
		}
	}
}

func (p *rowsPage) answer(*viewer, string, string) {}

func (p *rowsPage) status() string {
	return fmt.Sprintf("row %s, column %s  h help  q quit", commas(p.at), commas(p.left))
}

func (p *rowsPage) keys() [][2]string { return [][2]string{{"← →", "columns"}} }

func (p *rowsPage) close() {
	if p.end != nil {
		p.end()
	}
}
