package draw

import (
	"math"
	"strconv"
)

// These are the default sizes of a chart in pixels.
const (
	DefaultWidth  = 960
	DefaultHeight = 600
)

// These are the sizes of text.
const (
	titleSize = 15
	labelSize = 12
	tickSize  = 11
	margin    = 16
)

// Options holds the options that all charts have.
type Options struct {
	Width, Height int // pixels; 0 means DefaultWidth and DefaultHeight
	Theme         *Theme
	Title, Note   string // Note is below the title, in grey

	scale float64 // set after layout, so that text keeps its size in a picture that becomes smaller
}

// An Axis describes the N items along a dimension: Start, Start+Step and so on.
type Axis struct {
	Label          string
	Start, Step, N int64
}

// Scale returns the scale of the items, each of which has a width. Its ticks are between
// the first item and the last.
func (a Axis) Scale() Scale {
	step := math.Abs(float64(a.Step))
	if a.N <= 1 {
		step = 1
	}
	first, last := float64(a.Start), float64(a.Start)+float64(a.N-1)*float64(a.Step)
	lo, hi := min(first, last), max(first, last)
	s := Scale{Lo: lo - step/2, Hi: hi + step/2, Whole: true, margin: step / 2}
	if math.Mod(lo, step) == 0 {
		s.least = step // a tick between two items is useful only if no item has a round number
	}
	return s
}

// Place returns the position of an item along the axis, from 0 to 1, if s is the
// axis's scale.
func (a Axis) Place(s Scale, v float64) float64 {
	if a.Step < 0 {
		return 1 - s.Place(v)
	}
	return s.Place(v)
}

func (o *Options) defaults() {
	if o.Width <= 0 {
		o.Width = DefaultWidth
	}
	if o.Height <= 0 {
		o.Height = DefaultHeight
	}
	if o.Theme == nil {
		o.Theme = Light
	}
}

// zoom returns how much larger than usual a chart is drawn. Large charts have larger
// text, and small ones a little smaller.
func (o *Options) zoom() float64 {
	if o.scale > 0 {
		return o.scale
	}
	return clamp(min(float64(o.Width)/DefaultWidth, float64(o.Height)/DefaultHeight), 0.75, 16)
}

// begin returns a scene with the titles, and the remaining box for the chart.
func (o *Options) begin() (*Scene, Box) {
	o.defaults()
	z := o.zoom()
	s := &Scene{W: float64(o.Width), H: float64(o.Height), Zoom: z, Title: o.Title, Back: o.Theme.Back}
	w, h := s.W/z, s.H/z
	y := float64(margin)
	room := w - 2*margin
	if o.Title != "" {
		s.add(&Text{X: margin, Y: y + titleSize/2, Size: titleSize, Bold: true, S: cutMiddle(o.Title, room, titleSize, true), Color: o.Theme.Ink})
		y += titleSize + 7
	}
	if o.Note != "" {
		s.add(&Text{X: margin, Y: y + labelSize/2, Size: labelSize, S: cut(o.Note, room, labelSize, false), Color: o.Theme.Grey})
		y += labelSize + 7
	}
	y += 5
	return s, Box{margin, y, room, max(h-y-margin, 1)}
}

// missing writes how many numbers are missing, with their colour, in the upper
// right corner.
func (o *Options) missing(s *Scene, n int64, what string) {
	if n == 0 {
		return
	}
	text := strconv.FormatInt(n, 10)
	text = thousands(text) + " " + what
	w := TextWidth(text, tickSize, false)
	right, y := s.W/s.Zoom-margin, float64(margin)+tickSize/2
	if right-w-20 < margin {
		return
	}
	// The title must not overlap it.
	for _, shape := range s.Shapes {
		if t, ok := shape.(*Text); ok && t.Bounds().Overlaps(Box{right - w - 28, y - 8, w + 28, 16}) {
			t.S = cutMiddle(t.S, right-w-32-t.X, t.Size, t.Bold)
		}
	}
	s.add(&Text{X: right - w, Y: y, Size: tickSize, S: text, Color: o.Theme.Grey})
	s.rect(Box{right - w - 18, y - 6, 12, 12}, o.Theme.Missing)
}

// missingWords returns the text that missing writes.
func missingWords(log bool) string {
	if log {
		return "missing or not positive"
	}
	return "NaN or infinite"
}

// An entry is one line of a legend.
type entry struct {
	name string
	mark func(x, y float64) []Shape
}

// legend writes a legend at the top of a box, in as many lines as it takes, and
// returns the rest of the box.
func (o *Options) legend(s *Scene, b Box, entries []entry) Box {
	if len(entries) == 0 {
		return b
	}
	x, y := b.X, b.Y+tickSize/2
	for _, e := range entries {
		name := cutMiddle(e.name, min(b.W-22, 260), tickSize, false)
		w := 22 + TextWidth(name, tickSize, false)
		if x > b.X && x+w > b.Right() {
			x, y = b.X, y+tickSize+6
		}
		s.add(e.mark(x+8, y)...)
		s.add(&Text{X: x + 20, Y: y, Size: tickSize, S: name, Color: o.Theme.Ink})
		x += w + 14
	}
	used := y + tickSize/2 + 8 - b.Y
	return Box{b.X, b.Y + used, b.W, max(b.H-used, 1)}
}
