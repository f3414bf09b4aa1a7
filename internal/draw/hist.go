package draw

// A Bars is the chart of a Histogram.
type Bars struct {
	Options
	Label   string // label of the axis of the numbers
	Seconds float64
	Log     bool // whether the axis of the counts is logarithmic
	*Histogram
}

// Scene draws the chart.
func (c *Bars) Scene() *Scene {
	s, b := c.begin()
	c.missing(s, c.Missing, "NaN or infinite")
	x, y := c.Numbers(), c.CountScale()
	a := &axes{x: x, y: y, xLabel: c.Label, yLabel: "numbers in a bin", theme: c.Theme, noGridX: true}
	a.layout(b)
	a.grid(s)
	n := float64(len(c.Counts))
	gap := 0.0
	if a.in.W/n > 5 {
		gap = 1
	}
	for i, count := range c.Counts {
		if count == 0 {
			continue
		}
		left, right := a.in.X+float64(i)/n*a.in.W, a.in.X+float64(i+1)/n*a.in.W
		top := min(a.py(float64(count)), a.in.Bottom()-1)
		if gap > 0 {
			s.rect(Box{left + gap/2, top, right - left - gap, a.in.Bottom() - top}, c.Theme.Color(0))
			continue
		}
		s.add(&Path{Points: []Point{{left, a.in.Bottom()}, {left, top}, {right, top}, {right, a.in.Bottom()}}, Fill: true, Color: c.Theme.Color(0)})
	}
	a.draw(s, b)
	return s
}

// Numbers returns the scale of the numbers.
func (c *Bars) Numbers() Scale {
	s := c.Scale
	s.Seconds = c.Seconds
	return s
}

// CountScale returns the scale of the counts.
func (c *Bars) CountScale() Scale {
	most := int64(1)
	for _, n := range c.Counts {
		most = max(most, n)
	}
	if c.Log {
		return Scale{Lo: 0.5, Hi: float64(most) * 1.3, Log: true}
	}
	return Scale{Lo: 0, Hi: float64(most) * 1.04, Whole: true}
}
