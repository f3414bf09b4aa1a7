package plot

import "math"

// The largest sizes, in pixels, of the area within the axes.
const (
	maxWidth  = 840
	maxHeight = 560
)

// A Line reads a sequence of numbers and keeps, for each column of pixels, the range
// that a line through them covers.
type Line struct {
	axis    Axis
	columns []column
	at      int64
	missing int64 // NaNs and infinities
}

// A column summarizes the numbers that share a column of pixels.
type column struct {
	min, max, first, last float64
	count, missing        int64
}

// NewLine returns a Line for as many numbers as the axis has.
func NewLine(axis Axis) *Line {
	return &Line{axis: axis, columns: make([]column, min(axis.N, maxWidth))}
}

// dense reports whether columns hold more than one number.
func (l *Line) dense() bool { return int64(len(l.columns)) < l.axis.N }

// Add adds the next number.
func (l *Line) Add(v float64) {
	c := &l.columns[spread(l.at, l.axis.N, len(l.columns))]
	l.at++
	if !finite(v) {
		c.missing++
		l.missing++
		return
	}
	if c.count == 0 {
		c.min, c.max, c.first = v, v, v
	}
	c.min, c.max, c.last = min(c.min, v), max(c.max, v), v
	c.count++
}

// An Image reads a table of numbers row by row and keeps the mean of those that
// share a pixel.
type Image struct {
	y, x    Axis
	w, h    int // cells
	cells   []cell
	at      int64
	missing int64
}

type cell struct {
	mean           float64
	count, missing int64
}

// NewImage returns an Image for a table whose rows are along y.
func NewImage(y, x Axis) *Image {
	m := &Image{y: y, x: x}
	pw, ph := m.size()
	m.w, m.h = int(min(int64(pw), x.N)), int(min(int64(ph), y.N))
	m.cells = make([]cell, m.w*m.h)
	return m
}

// Add adds the next number.
func (m *Image) Add(v float64) {
	row, col := m.at/m.x.N, m.at%m.x.N
	c := &m.cells[spread(row, m.y.N, m.h)*m.w+spread(col, m.x.N, m.w)]
	m.at++
	if !finite(v) {
		c.missing++
		m.missing++
		return
	}
	c.count++
	if c.count == 1 {
		c.mean = v
		return
	}
	n := float64(c.count)
	c.mean += v/n - c.mean/n
}

// shown reports whether a cell has a colour: fewer than half of its numbers are
// missing.
func (c *cell) shown() bool { return c.count > c.missing }

// size returns the picture's size in pixels: items are square if the shape allows
// it, and have a whole number of pixels where the difference would be visible.
func (m *Image) size() (w, h int) {
	scale := min(maxWidth/float64(m.x.N), maxHeight/float64(m.y.N))
	if scale > 4 {
		scale = math.Floor(scale)
	}
	return side(m.x.N, scale, maxWidth), side(m.y.N, scale, maxHeight)
}

// minSide is the smallest side of a picture, even if its items must be stretched.
const minSide = 160

func side(n int64, scale float64, most int) int {
	if p := int(math.Round(float64(n) * scale)); p >= minSide {
		return min(p, most)
	}
	if n >= minSide {
		return minSide
	}
	return int(n * ((minSide + n - 1) / n))
}

// spread returns the position of item i of n among fewer positions.
func spread(i, n int64, places int) int {
	if n == int64(places) {
		return int(i)
	}
	return int(float64(i) * float64(places) / float64(n))
}

func finite(v float64) bool { return v-v == 0 }
