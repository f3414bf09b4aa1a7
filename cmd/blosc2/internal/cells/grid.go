// Package cells draws the charts of internal/draw with the characters of a terminal. It
// uses half blocks, which make each character two pixels, or ASCII.
package cells

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strings"
)

// Colors says how many colours a terminal has.
type Colors int

// These are the numbers of colours. Without colours, charts are drawn in ASCII.
const (
	None Colors = iota
	Indexed
	True
)

// A Cell is a character and its colours. A colour whose A is 0 is the terminal's own.
type Cell struct {
	R      rune
	FG, BG color.RGBA
	Bold   bool
}

// A Grid is the characters of a part of the screen.
type Grid struct {
	W, H   int
	Colors Colors
	cells  []Cell
}

// NewGrid returns a Grid of spaces; it has at least one cell.
func NewGrid(w, h int, c Colors) *Grid {
	w, h = max(w, 1), max(h, 1)
	g := &Grid{W: w, H: h, Colors: c, cells: make([]Cell, w*h)}
	for i := range g.cells {
		g.cells[i].R = ' '
	}
	return g
}

// At returns a cell. For a position outside the grid it returns a cell that is not
// shown.
func (g *Grid) At(x, y int) *Cell {
	if x < 0 || y < 0 || x >= g.W || y >= g.H {
		return new(Cell)
	}
	return &g.cells[y*g.W+x]
}

// Text writes text into row y, from column x on, in at most width cells.
func (g *Grid) Text(x, y, width int, s string, c color.RGBA, bold bool) {
	if g.Colors == None {
		s = ascii.Replace(s)
	}
	r := []rune(s)
	if width = max(width, 0); len(r) > width {
		dots := []rune("…")
		if g.Colors == None {
			dots = []rune("~")
		}
		r = append(r[:max(width-1, 0)], dots[:min(width, 1)]...)
	}
	for i, char := range r {
		cell := g.At(x+i, y)
		if char < ' ' || char == 0x7f {
			char = '?'
		}
		if g.Colors == None && char > '~' {
			char = '?'
		}
		cell.R, cell.Bold = char, bold
		if g.Colors != None {
			cell.FG = c
		}
	}
}

// ascii replaces the characters of charts that are not ASCII.
var ascii = strings.NewReplacer("×10", "x1e", "⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9",
	"×", "x", "−", "-", "…", "~", "µ", "u", "°", " deg ")

// WriteTo writes the grid, a line for each row up to the last that is not empty, with
// the escape sequences of its colours.
func (g *Grid) WriteTo(w io.Writer) (int64, error) {
	b := &counter{Writer: bufio.NewWriter(w)}
	h := g.H
	for h > 0 && !slices.ContainsFunc(g.cells[(h-1)*g.W:h*g.W], func(c Cell) bool { return c != Cell{R: ' '} }) {
		h--
	}
	for y := range h {
		row := g.cells[y*g.W : (y+1)*g.W]
		for len(row) > 0 && row[len(row)-1] == (Cell{R: ' '}) {
			row = row[:len(row)-1]
		}
		last := Cell{}
		for _, c := range row {
			if g.Colors != None && (c.FG != last.FG || c.BG != last.BG || c.Bold != last.Bold) {
				b.WriteString("\x1b[0")
				if c.Bold {
					b.WriteString(";1")
				}
				g.sgr(b, 38, c.FG)
				g.sgr(b, 48, c.BG)
				b.WriteByte('m')
				last = c
			}
			b.WriteRune(c.R)
		}
		if last != (Cell{}) {
			b.WriteString("\x1b[0m")
		}
		b.WriteByte('\n')
	}
	return b.n, b.Flush()
}

func (g *Grid) sgr(b *counter, kind int, c color.RGBA) {
	switch {
	case c.A == 0:
	case g.Colors == True:
		fmt.Fprintf(b, ";%d;2;%d;%d;%d", kind, c.R, c.G, c.B)
	default:
		fmt.Fprintf(b, ";%d;5;%d", kind, Index(c))
	}
}

// A counter counts the bytes written.
type counter struct {
	*bufio.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return c.Writer.Write(p) }

func (c *counter) WriteString(s string) (int, error) {
	c.n += int64(len(s))
	return c.Writer.WriteString(s)
}

func (c *counter) WriteRune(r rune) (int, error) {
	n, err := c.Writer.WriteRune(r)
	c.n += int64(n)
	return n, err
}

func (c *counter) WriteByte(b byte) error { c.n++; return c.Writer.WriteByte(b) }

// Index returns the nearest of the 216 colours and 24 greys that terminals with 256
// colours have.
func Index(c color.RGBA) int {
	level := func(v uint8) int {
		switch {
		case v < 48:
			return 0
		case v < 115:
			return 1
		}
		return min((int(v)-35)/40, 5)
	}
	values := [...]int{0, 95, 135, 175, 215, 255}
	r, g, b := level(c.R), level(c.G), level(c.B)
	grey := min(max((int(c.R)+int(c.G)+int(c.B))/3-3, 0)/10, 23)
	far := func(r, g, b int) int {
		dr, dg, db := r-int(c.R), g-int(c.G), b-int(c.B)
		return dr*dr + dg*dg + db*db
	}
	if v := 8 + 10*grey; far(v, v, v) < far(values[r], values[g], values[b]) {
		return 232 + grey
	}
	return 16 + 36*r + 6*g + b
}
