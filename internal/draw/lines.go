package draw

// A Lines is a chart of one or several sequences over the same axis.
type Lines struct {
	Options
	X       Axis
	YLabel  string
	Seconds float64 // unit of numbers that are times since 1970; otherwise 0
	Log     bool
	Lines   []*Envelope
}

// Scene draws the chart.
func (c *Lines) Scene() *Scene {
	s, b := c.begin()
	missing := int64(0)
	var entries []entry
	for i, e := range c.Lines {
		missing += e.Missing
		if len(c.Lines) > 1 {
			entries = append(entries, entry{e.Name, func(x, y float64) []Shape {
				return []Shape{&Path{Points: []Point{{x - 8, y}, {x + 8, y}}, Width: 2.4, Color: c.Theme.Color(i)}}
			}})
		}
	}
	c.missing(s, missing, missingWords(c.Log))
	b = c.legend(s, b, entries)
	x := c.X.Scale()
	a := &axes{x: x, y: c.Values(), xLabel: c.X.Label, yLabel: c.YLabel, theme: c.Theme, noGridX: true}
	a.placeX = func(v float64) float64 { return c.X.Place(x, v) }
	a.layout(b)
	c.gaps(s, a)
	a.grid(s)
	for i, e := range c.Lines {
		trace(s, a, e, c.Theme.Color(i))
	}
	a.draw(s, b)
	return s
}

// Values returns the scale of the numbers, with margins above and below.
func (c *Lines) Values() Scale {
	lo, hi, any := 0.0, 1.0, false
	for _, e := range c.Lines {
		l, h, ok := e.Range()
		switch {
		case !ok:
		case !any:
			lo, hi, any = l, h, true
		default:
			lo, hi = min(lo, l), max(hi, h)
		}
	}
	if !any && c.Log {
		lo, hi = 1, 10
	}
	s := NewScale(lo, hi, c.Log).Widen(0.04)
	s.Seconds = c.Seconds
	return s
}

// gaps colours the columns in which a line has missing numbers.
func (c *Lines) gaps(s *Scene, a *axes) {
	for _, e := range c.Lines {
		n := len(e.columns)
		for i := 0; i < n; i++ {
			if e.columns[i].Missing == 0 {
				continue
			}
			first := i
			for i+1 < n && e.columns[i+1].Missing > 0 {
				i++
			}
			w := max(float64(i-first+1)/float64(n)*a.in.W, 1)
			x := clamp(a.in.X+float64(first)/float64(n)*a.in.W, a.in.X, a.in.Right()-w)
			s.rect(Box{x, a.in.Y, w, a.in.H}, c.Theme.Missing)
		}
	}
}

// trace draws a line from number to number or, if several share a column, the range
// that they cover. Numbers on either side of a gap are not joined. A single number
// is drawn as a dot, and so is every number if there are few.
func trace(s *Scene, a *axes, e *Envelope, color rgba) {
	n := len(e.columns)
	dense := e.Dense()
	width, dots := 1.6, float64(n) <= a.in.W/12
	if dense {
		width = 1.1
	}
	var points []Point
	flush := func() {
		if len(points) == 1 {
			s.add(&Disc{X: points[0].X, Y: points[0].Y, R: 2.2, Color: color})
		} else if len(points) > 1 {
			s.add(&Path{Points: points, Width: width, Color: color})
		}
		points = nil
	}
	for i := range e.columns {
		c := &e.columns[i]
		if c.Missing > 0 && !dense || c.Count == 0 {
			flush()
		}
		if c.Count == 0 {
			continue
		}
		x := a.in.X + (float64(i)+0.5)/float64(n)*a.in.W
		values := []float64{c.First}
		if dense {
			values = []float64{c.First, c.Min, c.Max, c.Last}
		}
		for _, v := range values {
			p := Point{x, a.py(v)}
			if k := len(points); k == 0 || points[k-1] != p {
				points = append(points, p)
			}
		}
		if dots {
			s.add(&Disc{X: x, Y: a.py(c.First), R: 2.4, Color: color})
		}
	}
	flush()
}
