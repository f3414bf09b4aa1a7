package draw

import (
	"math"
	"slices"
)

// A Scatter is a chart of points in one or several panels that share their axes. Its Y
// axis is linear, up is better; its X axis is logarithmic, right is better. Points that
// no other point exceeds in both values are labelled, in the colours of their kinds.
type Scatter struct {
	Options
	XLabel, YLabel string
	Panels         []Panel
	Columns        int      // panels in a row; 0: as many as make a picture of usual proportions
	Kinds          []string // the legend of the colours, by Dot.Kind
	Shapes         []string // the legend of the shapes, by Dot.Shape
	LogY           bool
	OwnY           bool // every panel has a separate Y axis
}

// A Panel is one of the diagrams of a Scatter.
type Panel struct {
	Title string
	Dots  []Dot
}

// A Dot is a point with its label.
type Dot struct {
	X, Y   float64
	Kind   int // number of the colour
	Shape  Mark
	Hollow bool
	Label  string
}

// A Mark is the shape of a point.
type Mark int

// These are the marks.
const (
	Circle Mark = iota
	Square
	Diamond
	TriangleUp
	TriangleDown
	Cross
	Bar
	marks
)

// shapes returns a mark around a position.
func (m Mark) shapes(x, y, r float64, hollow bool, c rgba) []Shape {
	var p []Point
	switch m % marks {
	case Square:
		q := r * 0.88
		p = []Point{{x - q, y - q}, {x + q, y - q}, {x + q, y + q}, {x - q, y + q}}
	case Diamond:
		q := r * 1.25
		p = []Point{{x, y - q}, {x + q, y}, {x, y + q}, {x - q, y}}
	case TriangleUp:
		p = []Point{{x, y - 1.2*r}, {x + 1.1*r, y + 0.85*r}, {x - 1.1*r, y + 0.85*r}}
	case TriangleDown:
		p = []Point{{x, y + 1.2*r}, {x - 1.1*r, y - 0.85*r}, {x + 1.1*r, y - 0.85*r}}
	case Cross:
		return []Shape{&Path{Points: []Point{{x - r, y - r}, {x + r, y + r}}, Width: 1.8, Color: c}, &Path{Points: []Point{{x - r, y + r}, {x + r, y - r}}, Width: 1.8, Color: c}}
	case Bar:
		q := r * 1.2
		p = []Point{{x - q, y - r*0.45}, {x + q, y - r*0.45}, {x + q, y + r*0.45}, {x - q, y + r*0.45}}
	default:
		if hollow {
			return []Shape{&Disc{X: x, Y: y, R: r - 0.2, Width: 1.4, Color: c}}
		}
		return []Shape{&Disc{X: x, Y: y, R: r, Color: c}}
	}
	if hollow {
		return []Shape{&Path{Points: append(p, p[0], p[1]), Width: 1.4, Color: c}}
	}
	return []Shape{&Path{Points: p, Fill: true, Color: c}}
}

// Scene draws the chart.
func (c *Scatter) Scene() *Scene {
	s, b := c.begin()
	var entries []entry
	for i, name := range c.Kinds {
		if !c.has(func(d Dot) bool { return d.Kind == i }) {
			continue
		}
		entries = append(entries, entry{name, func(x, y float64) []Shape {
			return []Shape{&Rect{Box{x - 7, y - 5, 14, 10}, c.Theme.Color(i)}}
		}})
	}
	b = c.legend(s, b, entries)
	entries = nil
	for i, name := range c.Shapes {
		if !c.has(func(d Dot) bool { return int(d.Shape) == i }) {
			continue
		}
		entries = append(entries, entry{name, func(x, y float64) []Shape {
			return Mark(i).shapes(x, y, 4.5, false, c.Theme.Grey)
		}})
	}
	b = c.legend(s, b, entries)
	if len(c.Panels) == 0 {
		return s
	}
	x, y := c.scales(c.Panels)
	cols := c.Columns
	if cols <= 0 {
		cols = int(math.Ceil(math.Sqrt(float64(len(c.Panels)) * b.W / b.H * 0.8)))
	}
	cols = min(max(cols, 1), len(c.Panels))
	rows := (len(c.Panels) + cols - 1) / cols
	const gap = 14
	// The axes are named once for all panels.
	if c.YLabel != "" {
		s.upright(c.YLabel, b.X+labelSize/2, b, b, c.Theme)
		b.X, b.W = b.X+labelSize+6, b.W-labelSize-6
	}
	if c.XLabel != "" {
		s.add(&Text{X: b.X + b.W/2, Y: b.Bottom() - labelSize/2, Size: labelSize, Anchor: Middle, S: cut(c.XLabel, b.W, labelSize, false), Color: c.Theme.Grey})
		b.H -= labelSize + 6
	}
	w, h := (b.W-gap*float64(cols-1))/float64(cols), (b.H-gap*float64(rows-1))/float64(rows)
	for i := range c.Panels {
		box := Box{b.X + float64(i%cols)*(w+gap), b.Y + float64(i/cols)*(h+gap), w, h}
		if c.OwnY {
			_, y = c.scales(c.Panels[i : i+1])
		}
		c.panel(s, &c.Panels[i], &axes{x: x, y: y, theme: c.Theme}, box)
	}
	return s
}

// has reports whether a point has the given kind or shape.
func (c *Scatter) has(sort func(Dot) bool) bool {
	return slices.ContainsFunc(c.Panels, func(p Panel) bool { return slices.ContainsFunc(p.Dots, sort) })
}

// scales returns the scales that hold all points of some panels.
func (c *Scatter) scales(panels []Panel) (x, y Scale) {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{}
	for _, p := range panels {
		for _, d := range p.Dots {
			if d.X > 0 && d.Y > 0 && finite(d.X) && finite(d.Y) {
				lo[0], hi[0] = min(lo[0], d.X), max(hi[0], d.X)
				lo[1], hi[1] = min(lo[1], d.Y), max(hi[1], d.Y)
			}
		}
	}
	x = NewScale(lo[0], hi[0], true).Widen(0.06)
	if c.LogY {
		return x, NewScale(lo[1], hi[1], true).Widen(0.06)
	}
	return x, NewScale(lo[1], hi[1], false).Widen(0.06)
}

func (c *Scatter) panel(s *Scene, p *Panel, a *axes, b Box) {
	if p.Title != "" {
		title := cutMiddle(p.Title, b.W-8, labelSize, true)
		s.add(&Text{X: b.X + b.W/2, Y: b.Y + labelSize/2, Size: labelSize, Anchor: Middle, Bold: true, S: title, Color: c.Theme.Ink})
		b.Y, b.H = b.Y+labelSize+2, max(b.H-labelSize-2, 1)
	}
	a.layout(b)
	a.grid(s)
	const r = 4
	var seen []Dot
	for _, d := range p.Dots {
		if d.X > 0 && d.Y > 0 && finite(d.X) && finite(d.Y) {
			seen = append(seen, d)
		}
	}
	front := Front(seen)
	taken := c.frontLine(s, a, front)
	for _, d := range seen {
		x, y := a.px(d.X), a.py(d.Y)
		s.add(d.Shape.shapes(x, y, r, d.Hollow, c.Theme.Color(d.Kind))...)
		taken = append(taken, Box{x - r - 1, y - r - 1, 2*r + 2, 2*r + 2})
	}
	type mark struct {
		label string
		kind  int
	}
	named := map[mark]bool{}
	for _, d := range front {
		m := mark{d.Label, d.Kind}
		if t := c.label(a, d, taken); t != nil && !named[m] {
			s.add(t)
			taken, named[m] = append(taken, t.Bounds()), true
		}
	}
	a.draw(s, b)
}

// Front returns the points that no other point exceeds in both values, fastest last.
func Front(dots []Dot) []Dot {
	sorted := slices.Clone(dots)
	slices.SortStableFunc(sorted, func(a, b Dot) int {
		switch {
		case a.X > b.X || a.X == b.X && a.Y > b.Y:
			return -1
		case a.X < b.X || a.X == b.X && a.Y < b.Y:
			return 1
		}
		return 0
	})
	var front []Dot
	best := math.Inf(-1)
	for _, d := range sorted {
		if d.Y > best {
			front, best = append(front, d), d.Y
		}
	}
	slices.Reverse(front)
	return front
}

// frontLine draws the limit of the front and returns the boxes of its parts.
func (c *Scatter) frontLine(s *Scene, a *axes, front []Dot) (parts []Box) {
	var points []Point
	for i, d := range front {
		x, y := a.px(d.X), a.py(d.Y)
		if i > 0 {
			corner := Point{points[len(points)-1].X, y}
			parts = append(parts, Box{corner.X - 1, points[len(points)-1].Y, 2, y - points[len(points)-1].Y}, Box{corner.X, y - 1, x - corner.X, 2})
			points = append(points, corner)
		}
		points = append(points, Point{x, y})
	}
	if len(points) > 1 {
		s.add(&Path{Points: points, Width: 1, Color: mix(c.Theme.Grey, c.Theme.Back, 0.5)})
	}
	return parts
}

// label returns the label of a point at a position where it covers nothing, or nil
// if there is none.
func (c *Scatter) label(a *axes, d Dot, taken []Box) *Text {
	const size = 10
	x, y := a.px(d.X), a.py(d.Y)
	for _, at := range []struct {
		dx, dy float64
		anchor Anchor
	}{{8, 0, Start}, {-8, 0, End}, {0, -11, Middle}, {0, 11, Middle}, {6, -10, Start}, {-6, -10, End}, {6, 10, Start}, {-6, 10, End},
		{8, -20, Start}, {-8, -20, End}, {8, 20, Start}, {-8, 20, End}} {
		t := &Text{X: x + at.dx, Y: y + at.dy, Size: size, Anchor: at.anchor, S: d.Label, Color: c.Theme.Color(d.Kind)}
		b := t.Bounds()
		if d.Label == "" || b.X < a.in.X+2 || b.Right() > a.in.Right()-2 || b.Y < a.in.Y+1 || b.Bottom() > a.in.Bottom()-1 {
			continue
		}
		if !slices.ContainsFunc(taken, b.Overlaps) {
			return t
		}
	}
	return nil
}
