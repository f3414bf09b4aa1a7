package cells

import (
	"image/color"
	"math"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/internal/draw"
)

// These are the margins around the data, in cells.
const (
	left  = 11 // columns of the labels of the vertical axis
	right = 14 // columns of the bar of colours
	above = 2  // lines of titles
	below = 3  // lines of the labels and names of the horizontal axis
)

// grey is the colour of everything except data, readable on light and dark screens.
var grey = color.RGBA{0x80, 0x88, 0x90, 0xff}

// LineColumns returns how many columns an Envelope should have for a grid.
func LineColumns(w int) int { return max(w-left-1, 1) }

// HeatSize returns how many cells a draw.Grid should have for a grid.
func HeatSize(w, h int, cols, rows int64, c Colors) (int, int) {
	wide, high := max(w-left-right, 1), max(h-above-below, 1)
	x, y := draw.Fit(cols, rows, float64(wide), float64(2*high))
	if c == None {
		y = math.Ceil(y / 2)
	}
	return int(x), int(y)
}

// A plane is the pixels of an area: two in a cell, or one in ASCII.
type plane struct {
	x, y, w, h int // the area, in cells
	per        int // pixels per cell
	pixels     []color.RGBA
}

func newPlane(x, y, w, h int, c Colors) *plane {
	p := &plane{x: x, y: y, w: max(w, 1), h: max(h, 1), per: 2}
	if c == None {
		p.per = 1
	}
	p.pixels = make([]color.RGBA, p.w*p.h*p.per)
	return p
}

func (p *plane) rows() int { return p.h * p.per }

func (p *plane) set(x, y int, c color.RGBA) {
	if x >= 0 && y >= 0 && x < p.w && y < p.rows() {
		p.pixels[y*p.w+x] = c
	}
}

// show puts the pixels into the grid as half blocks. Pixels without a colour are
// not drawn.
func (p *plane) show(g *Grid) {
	for y := range p.h {
		for x := range p.w {
			upper, lower := p.pixels[2*y*p.w+x], p.pixels[(2*y+1)*p.w+x]
			c := g.At(p.x+x, p.y+y)
			switch {
			case upper.A == 0 && lower.A == 0:
			case upper == lower:
				c.R, c.FG = '█', upper
			case lower.A == 0:
				c.R, c.FG = '▀', upper
			case upper.A == 0:
				c.R, c.FG = '▄', lower
			default:
				c.R, c.FG, c.BG = '▀', upper, lower
			}
		}
	}
}

// Lines draws a chart of lines over the whole grid. Its envelopes should have
// LineColumns columns.
func Lines(g *Grid, c *draw.Lines) {
	g.title(c.Options)
	p := newPlane(left, above, g.W-left-1, g.H-above-below, g.Colors)
	values := c.Values()
	for i, e := range c.Lines {
		p.line(g, e, values, c.Theme.Color(i), c.Theme.Missing)
	}
	if g.Colors != None {
		p.show(g)
	}
	g.verticalLabels(p, values.Ticks(max(p.h/4, 1)), values.Place, true)
	x := c.X.Scale()
	g.horizontalLabels(p, x, func(v float64) float64 { return c.X.Place(x, v) }, c.X.Label)
	g.legend(c)
}

// legend writes the names of the lines into the last row. If there is only one line, it
// writes the unit instead, at the top.
func (g *Grid) legend(c *draw.Lines) {
	if len(c.Lines) < 2 {
		g.Text(0, above-1, left+20, c.YLabel, grey, false)
		return
	}
	x := 0
	for i, e := range c.Lines {
		g.Text(x, g.H-1, g.W-x, "* "+e.Name, c.Theme.Color(i), false)
		if x += utf8.RuneCountInString(e.Name) + 4; x >= g.W {
			return
		}
	}
}

// line draws a line into the plane, column by column.
func (p *plane) line(g *Grid, e *draw.Envelope, s draw.Scale, ink, missing color.RGBA) {
	cols := e.Columns()
	n, rows := len(cols), p.rows()
	row := func(v float64) int { return min(max(int((1-s.Place(v))*float64(rows)), 0), rows-1) }
	for x := range p.w {
		// The column at this place, or the segment between two columns, determines the
		// pixels.
		at := (float64(x)+0.5)/float64(p.w)*float64(n) - 0.5
		i := min(max(int(math.Round(at)), 0), n-1)
		c := &cols[i]
		if c.Missing > 0 {
			p.gap(g, x, missing)
		}
		if c.Count == 0 {
			continue
		}
		lo, hi := c.Min, c.Max
		if !e.Dense() {
			half := float64(n) / float64(p.w) / 2
			a, b := between(cols, at-half, c.First), between(cols, at+half, c.First)
			lo, hi = min(a, b), max(a, b)
		} else if i > 0 && cols[i-1].Count > 0 {
			lo, hi = min(lo, cols[i-1].Last), max(hi, cols[i-1].Last)
		}
		top, bottom := row(hi), row(lo)
		for y := top; y <= bottom; y++ {
			if g.Colors != None {
				p.set(x, y, ink)
				continue
			}
			cell := g.At(p.x+x, p.y+y)
			if cell.R = '*'; y > top && y < bottom {
				cell.R = '|'
			}
		}
	}
}

// gap marks a column in which numbers are missing.
func (p *plane) gap(g *Grid, x int, c color.RGBA) {
	if g.Colors == None {
		g.At(p.x+x, p.y+p.h-1).R = '?'
		return
	}
	for y := range p.h {
		g.At(p.x+x, p.y+y).BG = c
	}
}

// between returns the value of the line at a place between columns. It returns own if a
// neighbouring column has no numbers.
func between(cols []draw.Column, at, own float64) float64 {
	i := int(math.Floor(at))
	if i < 0 || i+1 >= len(cols) || cols[i].Count == 0 || cols[i+1].Count == 0 {
		return own
	}
	f := at - float64(i)
	return cols[i].First*(1-f) + cols[i+1].First*f
}

// ramp has the ASCII characters that replace colours, from the lowest to the highest.
const ramp = ".:-=+*#%@"

// Heat draws an image over the whole grid. Its Grid should have the size that
// HeatSize returns.
func Heat(g *Grid, c *draw.Heat) {
	g.title(c.Options)
	values := c.Values()
	m := c.Bitmap(values)
	w, h := HeatSize(g.W, g.H, c.X.N, c.Y.N, g.Colors)
	high := h
	if g.Colors != None {
		high = (h + 1) / 2
	}
	p := newPlane(left, above, w, high, g.Colors)
	mw, mh := c.Size()
	for y := range min(h, p.rows()) {
		for x := range w {
			cx, cy := x*mw/w, y*mh/h
			if g.Colors != None {
				p.set(x, y, m.RGBAAt(cx, cy))
				continue
			}
			char := '?'
			switch v, ok, empty := c.At(cx, cy); {
			case empty:
				char = ' '
			case ok:
				char = rune(ramp[min(int(min(max(values.Place(v), 0), 1)*float64(len(ramp))), len(ramp)-1)])
			}
			g.At(p.x+x, p.y+y).R = char
		}
	}
	if g.Colors != None {
		p.show(g)
	}
	y := c.Y.Scale()
	g.verticalLabels(p, y.Ticks(max(p.h/4, 1)), func(v float64) float64 { return 1 - c.Y.Place(y, v) }, false)
	x := c.X.Scale()
	g.horizontalLabels(p, x, func(v float64) float64 { return c.X.Place(x, v) }, c.X.Label)
	g.Text(0, above-1, left+20, c.Y.Label, grey, false)
	g.bar(p, c, values)
}

// bar draws the bar of colours to the right of the data.
func (g *Grid) bar(p *plane, c *draw.Heat, s draw.Scale) {
	x := p.x + p.w + 1
	b := newPlane(x, p.y, 2, p.h, g.Colors)
	for y := range b.rows() {
		t := 1 - (float64(y)+0.5)/float64(b.rows())
		if g.Colors == None {
			g.At(x, p.y+y).R = rune(ramp[min(int(t*float64(len(ramp))), len(ramp)-1)])
			continue
		}
		b.set(0, y, c.Palette.At(t))
		b.set(1, y, c.Palette.At(t))
	}
	if g.Colors != None {
		b.show(g)
	}
	ticks := s.Ticks(max(p.h/4, 2))
	last := -1
	for _, t := range ticks.List {
		y := p.y + min(max(int((1-s.Place(t.At))*float64(p.h)), 0), p.h-1)
		if y == last {
			continue
		}
		g.Text(x+3, y, right-3, label(t), grey, false)
		last = y
	}
	g.Text(x, p.y-1, g.W-x, join(c.Label, ticks.Note()), grey, false)
}

// Bars draws a histogram over the whole grid.
func Bars(g *Grid, c *draw.Bars) {
	g.title(c.Options)
	p := newPlane(left, above, g.W-left-1, g.H-above-below, g.Colors)
	counts := c.CountScale()
	for x := range p.w {
		first := x * len(c.Counts) / p.w
		most := int64(0)
		for i := first; i < max(first+1, (x+1)*len(c.Counts)/p.w); i++ {
			most = max(most, c.Counts[i])
		}
		if most == 0 {
			continue
		}
		top := min(int((1-counts.Place(float64(most)))*float64(p.rows())), p.rows()-1)
		for y := top; y < p.rows(); y++ {
			if p.set(x, y, c.Theme.Color(0)); g.Colors == None {
				g.At(p.x+x, p.y+y).R = '#'
			}
		}
	}
	if g.Colors != None {
		p.show(g)
	}
	g.verticalLabels(p, counts.Ticks(max(p.h/4, 1)), counts.Place, true)
	x := c.Numbers()
	g.horizontalLabels(p, x, x.Place, c.Label)
}
