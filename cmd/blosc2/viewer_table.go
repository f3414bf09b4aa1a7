//go:build !wasip1

package main

import (
	"fmt"
	"image/color"
	"path/filepath"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/cells"
)

// drawTable draws as many rows and columns as fit, from the first row and column of
// the page.
func (p *arrayPage) drawTable(g *cells.Grid) error {
	names := csvHeader(p.v.dtype)
	g.Text(0, 0, g.W, fmt.Sprintf("%s  %s  %s", shown(filepath.Base(p.v.name)), p.v.dtype, times(p.v.shape)), color.RGBA{}, true)
	rows := min(int64(max(g.H-2, 1)), p.height())
	p.rows = rows
	first := int64(0)
	if d := p.rowDim(); d >= 0 {
		first = p.at[d]
	}
	rows = min(rows, p.height()-first)
	cols := int64(1)
	if p.colDim() >= 0 {
		cols = min(p.width()-p.left, int64(g.W)/2+1)
	}
	w := p.window(first, rows, p.left, cols)
	buf := make([]byte, w.bytes())
	if err := p.v.read(buf, w.Window); err != nil {
		return err
	}
	size := p.v.dtype.Size
	table := make([][]string, rows)
	for y := range table {
		for x := range cols {
			item := buf[(int64(y)*cols+x)*int64(size):][:size]
			if names != nil {
				table[y] = csvCells(table[y], p.v.dtype, item)
			} else {
				table[y] = append(table[y], short(p.v.dtype, item))
			}
		}
	}
	var heads []string
	for x := range cols {
		switch {
		case names != nil && cols == 1:
			heads = names
		case p.colDim() >= 0:
			heads = append(heads, commas(p.left+x))
		default:
			heads = append(heads, "")
		}
	}
	if names != nil && cols > 1 {
		// Several structures are side by side, so the names of fields head no column.
		heads = nil
	}
	p.cols = grid(g, table, heads, first)
	return nil
}

var grey = color.RGBA{0x80, 0x88, 0x90, 0xff}

// grid writes cells in columns with their heads and the numbers of the rows, and
// returns how many columns fit.
func grid(g *cells.Grid, table [][]string, heads []string, first int64) int64 {
	x := len(commas(first+int64(len(table)))) + 1
	for y := range table {
		text := commas(first + int64(y))
		g.Text(x-1-len(text), y+2, len(text), text, grey, false)
	}
	for c := 0; ; c++ {
		wide, any := 0, false
		if c < len(heads) {
			wide = utf8.RuneCountInString(heads[c])
		}
		for _, row := range table {
			if c < len(row) {
				wide, any = max(wide, utf8.RuneCountInString(row[c])), true
			}
		}
		wide = min(wide, max(g.W/2, 8))
		if !any || x+1+wide > g.W && c > 0 {
			return int64(c)
		}
		if c < len(heads) {
			n := min(utf8.RuneCountInString(heads[c]), wide)
			g.Text(x+1+wide-n, 1, n, heads[c], grey, false)
		}
		for y, row := range table {
			if c < len(row) {
				n := min(utf8.RuneCountInString(row[c]), wide)
				g.Text(x+1+wide-n, y+2, n, shown(row[c]), color.RGBA{}, false)
			}
		}
		x += wide + 2
	}
}
