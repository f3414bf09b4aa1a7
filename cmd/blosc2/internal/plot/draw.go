package plot

import (
	"fmt"
	"image"
	"image/color"
)

// Margins in pixels.
const (
	top    = 56
	bottom = 48
	margin = 24
	barGap = 24 // between a picture and the bar of its colours
	bar    = 18 // width of that bar
)

// Draw returns the picture of the line.
func (l *Line) Draw(f Figure) image.Image {
	values := l.values(f.Seconds)
	items := itemScale(l.axis, 8)
	left := margin + values.widest() + 12
	c := newCanvas(max(left+maxWidth+margin+charWidth*3, headWidth(f, l.missing)), top+maxHeight*3/4+bottom)
	r := image.Rect(left, top, left+maxWidth, top+maxHeight*3/4)
	c.titles(f, l.missing)
	for _, t := range values.ticks {
		y := r.Max.Y - 1 - int(values.part(t.at)*float64(r.Dy()-1))
		c.fill(image.Rect(r.Min.X, y, r.Max.X, y+1), faint)
	}
	l.gaps(c, r)
	p := newPen(r)
	l.trace(p, func(v float64) float64 { return (1 - values.part(v)) * float64(r.Dy()) })
	p.ink(c, blue)
	c.frame(r)
	c.beside(r, func(v float64) float64 { return 1 - values.part(v) }, values, false)
	c.below(r, items, l.axis.Name)
	return c
}

// values returns the scale of the numbers, with margins above and below.
func (l *Line) values(seconds float64) scale {
	lo, hi, any := 0.0, 1.0, false
	for i := range l.columns {
		if col := &l.columns[i]; col.count > 0 {
			if !any {
				lo, hi, any = col.min, col.max, true
			}
			lo, hi = min(lo, col.min), max(hi, col.max)
		}
	}
	if air := (hi/2 - lo/2) / 20; finite(hi+air) && finite(lo-air) {
		lo, hi = lo-air, hi+air
	}
	return newScale(lo, hi, 7, seconds)
}

// x returns the middle of a column, in pixels.
func (l *Line) x(i, dx int) float64 {
	return (float64(i) + 0.5) * float64(dx) / float64(len(l.columns))
}

// gaps colours the columns that hold NaN or infinities.
func (l *Line) gaps(c canvas, r image.Rectangle) {
	half := max(float64(r.Dx())/float64(len(l.columns))/2, 0.5)
	for i := range l.columns {
		if l.columns[i].missing > 0 {
			x := l.x(i, r.Dx())
			c.fill(image.Rect(r.Min.X+int(x-half), r.Min.Y, r.Min.X+int(x+half+0.5), r.Max.Y).Intersect(r), missing)
		}
	}
}

// trace draws the line from number to number, or, where several share a column, the
// range that they cover. Numbers on either side of a gap are not joined; a single
// number is a dot.
func (l *Line) trace(p pen, y func(v float64) float64) {
	thick := 1.6
	if l.dense() {
		thick = 1
	}
	few := len(l.columns) <= maxWidth/8
	for i := range l.columns {
		col := &l.columns[i]
		if col.count == 0 {
			continue
		}
		x := l.x(i, p.r.Dx())
		joined := i > 0 && l.columns[i-1].count > 0 && (l.dense() || l.columns[i-1].missing == 0)
		if joined {
			p.stroke(l.x(i-1, p.r.Dx()), y(l.columns[i-1].last), x, y(col.first), thick)
		}
		switch {
		case l.dense():
			p.box(x-0.5, y(col.max)-0.5, x+0.5, y(col.min)+0.5)
		case few || !joined && (i+1 == len(l.columns) || l.columns[i+1].count == 0):
			p.box(x-2, y(col.first)-2, x+2, y(col.first)+2)
		}
	}
}

// Draw returns the picture with a colour bar. Row 0 is at the top.
func (m *Image) Draw(f Figure) image.Image {
	w, h := m.size()
	lo, hi, any := 0.0, 1.0, false
	for i := range m.cells {
		if v := m.cells[i].mean; m.cells[i].shown() {
			if !any {
				lo, hi, any = v, v, true
			}
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	values := newScale(lo, hi, max(h/50, 3), f.Seconds)
	rows, cols := itemScale(m.y, max(h/50, 3)), itemScale(m.x, max(w/80, 2))
	left := margin + max(rows.widest(), width(m.y.Name)/2) + 12
	r := image.Rect(left, top+20, left+w, top+20+h)
	scaleBar := image.Rect(r.Max.X+barGap, r.Min.Y, r.Max.X+barGap+bar, r.Max.Y)
	c := newCanvas(max(scaleBar.Max.X+12+values.widest()+margin, headWidth(f, m.missing)), r.Max.Y+bottom)
	c.titles(f, m.missing)
	for py := range h {
		row := m.cells[py*m.h/h*m.w:]
		for px := range w {
			c.SetRGBA(r.Min.X+px, r.Min.Y+py, row[px*m.w/w].color(values))
		}
	}
	for py := range h {
		c.fill(image.Rect(scaleBar.Min.X, scaleBar.Min.Y+py, scaleBar.Max.X, scaleBar.Min.Y+py+1), shade(1-float64(py)/float64(max(h-1, 1))))
	}
	c.frame(r)
	c.frame(scaleBar)
	c.beside(r, rows.part, rows, false)
	c.beside(scaleBar, func(v float64) float64 { return 1 - values.part(v) }, values, true)
	c.below(r, cols, m.x.Name)
	c.text(r.Min.X-width(m.y.Name)/2, r.Min.Y-14, m.y.Name, grey)
	return c
}

func (c *cell) color(s scale) color.RGBA {
	if !c.shown() {
		return missing
	}
	return shade(s.part(c.mean))
}

// titles writes the title line, and the number of items that are NaN or infinite.
func (c canvas) titles(f Figure, gaps int64) {
	x := margin
	c.bold(x, 24, f.Title)
	x += width(f.Title) + 2*charWidth
	c.text(x, 24, f.Note, grey)
	if gaps == 0 {
		return
	}
	x += width(f.Note) + 2*charWidth
	c.fill(image.Rect(x, 18, x+14, 32), missing)
	c.text(x+20, 24, legend(gaps), ink)
}

func legend(gaps int64) string { return fmt.Sprintf("NaN or infinite: %d", gaps) }

// headWidth returns the width of the title line.
func headWidth(f Figure, gaps int64) int {
	w := 2*margin + width(f.Title) + 2*charWidth + width(f.Note)
	if gaps > 0 {
		w += 2*charWidth + 20 + width(legend(gaps))
	}
	return w
}
