package draw

import "math"

// A Rows is a chart of named rows with a mark for each of several values, on a
// common axis that begins at 0.
type Rows struct {
	Options
	XLabel string
	Names  []string
	Values [][]float64 // values of each kind, for each name
	Kinds  []string
	Line   float64 // draws a line at this value, unless it is 0
}

// Scene draws the chart. Its height follows from the number of rows.
func (c *Rows) Scene() *Scene {
	c.defaults()
	const row = 17
	z := c.zoom()
	c.scale = z
	s, b := c.begin()
	var entries []entry
	for i, name := range c.Kinds {
		entries = append(entries, entry{name, func(x, y float64) []Shape {
			return Mark(i).shapes(x, y, 4.5, false, c.Theme.Color(i))
		}})
	}
	b = c.legend(s, b, entries)
	most, wide := 0.0, 0.0
	for _, values := range c.Values {
		for _, v := range values {
			if finite(v) {
				most = max(most, v)
			}
		}
	}
	for _, name := range c.Names {
		wide = max(wide, TextWidth(name, tickSize, false))
	}
	wide = min(wide, b.W*0.45)
	a := &axes{x: NewScale(0, max(most*1.05, c.Line*1.05, 1e-9), false), y: Scale{Lo: 0, Hi: 1}, xLabel: c.XLabel, theme: c.Theme}
	a.in = Box{b.X + wide + 10, b.Y, b.W - wide - 20, float64(len(c.Names)) * row}
	box := Box{a.in.X - 8, b.Y, a.in.W + 16, a.in.H + a.bottomRoom()}
	c.Height = int(math.Ceil((box.Bottom() + margin) * z))
	s.H = float64(c.Height)
	a.fit(box)
	a.grid(s)
	for i := range c.Names {
		s.rect(Box{a.in.X, math.Round(a.in.Y+(float64(i)+0.5)*row) - 0.5, a.in.W, 1}, c.Theme.Grid)
	}
	if c.Line > 0 {
		s.rect(Box{a.px(c.Line) - 0.75, a.in.Y, 1.5, a.in.H}, c.Theme.Grey)
	}
	for i, name := range c.Names {
		y := a.in.Y + (float64(i)+0.5)*row
		s.add(&Text{X: a.in.X - 8, Y: y, Size: tickSize, Anchor: End, S: cutMiddle(name, wide, tickSize, false), Color: c.Theme.Ink})
		for k, values := range c.Values {
			if i < len(values) && finite(values[i]) {
				s.add(Mark(k).shapes(a.px(values[i]), y, 4, false, c.Theme.Color(k))...)
			}
		}
	}
	a.draw(s, box)
	return s
}
