package plot

import "math"

// The largest sizes in pixels of what is drawn within the axes.
const (
	maxWidth  = 840
	maxHeight = 560
)

// A Line takes a sequence of numbers and keeps, for each column of pixels, what
// a line through them covers there.
type Line struct {
	axis    Axis
	columns []column
	at      int64
	missing int64 // numbers that are none
}

// A column is the numbers that share a column of pixels.
type column struct {
	min, max, first, last float64
	count, missing        int64
}

// NewLine draws as many numbers as the axis has.
func NewLine(axis Axis) *Line {
	return &Line{axis: axis, columns: make([]column, min(axis.N, maxWidth))}
}

// dense tells whether columns hold more than a number.
func (l *Line) dense() bool { return int64(len(l.columns)) < l.axis.N }

// Add takes the next number.
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

// An Image takes a table of numbers row by row and keeps the mean of those that
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

// NewImage draws a table whose rows are along y.
func NewImage(y, x Axis) *Image {
	m := &Image{y: y, x: x}
	pw, ph := m.size()
	m.w, m.h = int(min(int64(pw), x.N)), int(min(int64(ph), y.N))
	m.cells = make([]cell, m.w*m.h)
	return m
}

// Add takes the next number.
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

// shown tells whether a cell has a colour: where fewer than half of its numbers
// are missing.
func (c *cell) shown() bool { return c.count > c.missing }

// size gives the picture's size in pixels: items are square, if the shape allows
// it, and of a whole number of pixels where one could see the difference.
func (m *Image) size() (w, h int) {
	scale := min(maxWidth/float64(m.x.N), maxHeight/float64(m.y.N))
	if scale > 4 {
		scale = math.Floor(scale)
	}
	return side(m.x.N, scale, maxWidth), side(m.y.N, scale, maxHeight)
}

// minSide is the least that a picture has, if its items must be stretched.
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

// spread gives the place of item i of n among fewer places.
func spread(i, n int64, places int) int {
	if n == int64(places) {
		return int(i)
	}
	return int(float64(i) * float64(places) / float64(n))
}

func finite(v float64) bool { return v-v == 0 }
