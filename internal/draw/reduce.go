package draw

import "math/bits"

// An Envelope reads a sequence of numbers and keeps, for each of a number of
// columns, the range that a line through them covers, so that no peak is lost.
type Envelope struct {
	Name    string // name for the legend, which is drawn if there are several Envelopes
	Missing int64  // NaNs, infinities and, on a logarithmic scale, numbers that are not positive
	n       int64
	log     bool
	columns []Column
	at      walk
}

// A Column summarizes the numbers that share a column of pixels.
type Column struct {
	Min, Max, First, Last float64
	Count, Missing        int64
}

// NewEnvelope returns an Envelope for n numbers, at least one, in at most the given
// number of columns.
func NewEnvelope(n int64, columns int, log bool) *Envelope {
	e := &Envelope{n: n, log: log, columns: make([]Column, min(n, int64(max(columns, 1))))}
	e.at = walk{n: n, places: int64(len(e.columns))}
	return e
}

// Columns returns the columns. Later calls of Add change them.
func (e *Envelope) Columns() []Column { return e.columns }

// Dense reports whether some columns hold more than one number.
func (e *Envelope) Dense() bool { return int64(len(e.columns)) < e.n }

// Add adds the next number. It ignores numbers after the first n.
func (e *Envelope) Add(v float64) {
	if e.at.item >= e.n {
		return
	}
	c := &e.columns[e.at.step()]
	if !finite(v) || e.log && v <= 0 {
		c.Missing++
		e.Missing++
		return
	}
	if c.Count == 0 {
		c.Min, c.Max, c.First = v, v, v
	}
	c.Min, c.Max, c.Last = min(c.Min, v), max(c.Max, v), v
	c.Count++
}

// Range returns the least and the greatest number; ok is false if there is none.
func (e *Envelope) Range() (lo, hi float64, ok bool) {
	for i := range e.columns {
		if c := &e.columns[i]; c.Count > 0 {
			if !ok {
				lo, hi, ok = c.Min, c.Max, true
			}
			lo, hi = min(lo, c.Min), max(hi, c.Max)
		}
	}
	return lo, hi, ok
}

// A Grid reads a table of numbers row by row and keeps the mean of those that share
// a cell.
type Grid struct {
	Missing    int64 // number of missing numbers, as in Envelope
	rows, cols int64
	w, h       int
	log        bool
	cells      []cell
	row, col   walk
	line       []cell // cells of the current row
}

type cell struct {
	mean           float64
	count, missing int64
}

// NewGrid returns a Grid for a table, reduced to at most w by h cells.
func NewGrid(rows, cols int64, w, h int, log bool) *Grid {
	g := &Grid{rows: rows, cols: cols, log: log, w: int(min(int64(max(w, 1)), cols)), h: int(min(int64(max(h, 1)), rows))}
	g.cells = make([]cell, g.w*g.h)
	g.row, g.col = walk{n: rows, places: int64(g.h)}, walk{n: cols, places: int64(g.w)}
	return g
}

// Size returns the number of cells along either side.
func (g *Grid) Size() (w, h int) { return g.w, g.h }

// Add adds the next number. It ignores numbers beyond the size of the table.
func (g *Grid) Add(v float64) {
	if g.col.item == g.cols || g.row.item == 0 {
		if g.row.item >= g.rows {
			return
		}
		y := int(g.row.step())
		g.line, g.col = g.cells[y*g.w:(y+1)*g.w], walk{n: g.cols, places: int64(g.w)}
	}
	c := &g.line[g.col.step()]
	if !finite(v) || g.log && v <= 0 {
		c.missing++
		g.Missing++
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

// At returns the mean of a cell. ok is false if half of its numbers or more are
// missing; empty is true if it has none, because the table ended early.
func (g *Grid) At(x, y int) (mean float64, ok, empty bool) {
	c := &g.cells[y*g.w+x]
	return c.mean, c.count > c.missing, c.count+c.missing == 0
}

// Range returns the range of the means, without the given share of the least and of
// the greatest.
func (g *Grid) Range(share float64) (lo, hi float64, ok bool) {
	var all []float64
	for i := range g.cells {
		if c := &g.cells[i]; c.count > c.missing {
			all = append(all, c.mean)
		}
	}
	if len(all) == 0 {
		return 0, 1, false
	}
	return quantile(all, share), quantile(all, 1-share), true
}

// A Histogram counts numbers in bins of equal width, or of equal ratios if it is
// logarithmic.
type Histogram struct {
	Scale   Scale
	Counts  []int64
	Missing int64
	N       int64 // number of counted numbers
	Whole   bool  // the bins are whole numbers, or ranges of them
}

// NewHistogram returns a Histogram of the numbers from lo to hi in at most the
// given number of bins. If whole is set and bins is large enough, every whole
// number has a bin.
func NewHistogram(lo, hi float64, bins int, log, whole bool) *Histogram {
	bins = max(bins, 1)
	if whole && !log && finite(lo) && finite(hi) && hi-lo < 1e15 {
		width := max(1, float64(int64((hi-lo)/float64(bins)))+1)
		n := int((hi-lo)/width) + 1
		return &Histogram{Scale: Scale{Lo: lo - 0.5, Hi: lo - 0.5 + width*float64(n), Whole: true}, Counts: make([]int64, n), Whole: true}
	}
	return &Histogram{Scale: NewScale(lo, hi, log), Counts: make([]int64, bins)}
}

// Add counts a number. One outside the range is missing, as in Envelope.
func (h *Histogram) Add(v float64) {
	p := h.Scale.Place(v)
	if !finite(v) || !(p >= 0 && p <= 1) {
		h.Missing++
		return
	}
	h.N++
	h.Counts[min(int(p*float64(len(h.Counts))), len(h.Counts)-1)]++
}

// A walk assigns n items to fewer places, in order.
type walk struct {
	n, places   int64
	item, place int64
	next        int64 // the first item of the next place
}

// step returns the place of the next item.
func (w *walk) step() int64 {
	if w.item == w.next {
		if w.item > 0 {
			w.place++
		}
		high, low := bits.Mul64(uint64(w.place+1), uint64(w.n))
		q, rest := bits.Div64(high, low, uint64(w.places))
		if w.next = int64(q); rest > 0 {
			w.next++
		}
	}
	w.item++
	return w.place
}
