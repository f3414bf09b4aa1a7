package draw

import (
	"math"
	"slices"
)

// An axes holds the two axes of a panel and how values are placed on them.
type axes struct {
	x, y           Scale
	xLabel, yLabel string
	placeX, placeY func(v float64) float64 // position from the left and from the top, as a share of the area; nil: by the scale
	theme          *Theme
	noGridX        bool
	noGrid         bool

	in     Box // the area within the axes
	xTicks Ticks
	yTicks Ticks
}

func (a *axes) px(v float64) float64 {
	if a.placeX != nil {
		return a.in.X + a.placeX(v)*a.in.W
	}
	return a.in.X + a.x.Place(v)*a.in.W
}

func (a *axes) py(v float64) float64 {
	if a.placeY != nil {
		return a.in.Y + a.placeY(v)*a.in.H
	}
	return a.in.Y + (1-a.y.Place(v))*a.in.H
}

// These are the margins around a panel.
const (
	tickLength = 5
	tickGap    = 4
	lineHeight = tickSize + 3
)

// layout sets the area within the axes so that all labels fit into a box.
func (a *axes) layout(b Box) {
	left := min(a.leftRoom(b.H), b.W/2)
	bottom := a.bottomRoom()
	a.in = Box{b.X + left, b.Y + 8, max(b.W-left-10, 1), max(b.H-bottom-8, 1)}
	a.fit(b)
}

// leftRoom returns the width of the labels to the left of an area of about the
// given height, and sets the ticks.
func (a *axes) leftRoom(h float64) float64 {
	a.yTicks = a.y.Ticks(int(clamp(h/45, 1, 12)))
	left := 0.0
	for _, t := range a.yTicks.List {
		left = max(left, TextWidth(oneLine(t), tickSize, false))
	}
	left += tickLength + tickGap
	if a.yLabel != "" || a.yTicks.Note() != "" {
		left += labelSize + 8
	}
	return left
}

func (a *axes) bottomRoom() float64 {
	bottom := float64(tickLength + tickGap + lineHeight)
	if a.x.Seconds > 0 {
		bottom += lineHeight
	}
	if a.xLabel != "" || a.xTicks.Note() != "" {
		bottom += labelSize + 6
	}
	return bottom
}

func oneLine(t Tick) string {
	if t.Sub != "" {
		return t.Sub + " " + t.Label
	}
	return t.Label
}

// fit chooses the ticks below the area: as many as fit.
func (a *axes) fit(b Box) {
	for n := int(clamp(a.in.W/70, 1, 12)); ; n-- {
		a.xTicks = a.x.Ticks(n)
		if n <= 1 || a.apart(b) {
			return
		}
	}
}

// apart reports whether the labels below the area do not overlap.
func (a *axes) apart(b Box) bool {
	var last [2]float64
	last[0], last[1] = math.Inf(-1), math.Inf(-1)
	for _, t := range a.inOrder() {
		for i, text := range []string{t.Label, t.Sub} {
			if text == "" {
				continue
			}
			x, w := a.labelAt(t, text, b)
			if x < last[i]+8 {
				return false
			}
			last[i] = x + w
		}
	}
	return true
}

// inOrder returns the ticks below the area from left to right.
func (a *axes) inOrder() []Tick {
	list := a.xTicks.List
	if len(list) > 1 && a.px(list[0].At) > a.px(list[1].At) {
		list = slices.Clone(list)
		slices.Reverse(list)
	}
	return list
}

// labelAt returns the left end of a tick's label, kept within the box, and its width.
func (a *axes) labelAt(t Tick, text string, b Box) (x, w float64) {
	w = TextWidth(text, tickSize, false)
	return clamp(a.px(t.At)-w/2, b.X, max(b.X, b.Right()-w)), w
}

// grid draws the grid, before the data.
func (a *axes) grid(s *Scene) {
	if a.noGrid {
		return
	}
	for _, t := range a.yTicks.List {
		s.rect(Box{a.in.X, a.py(t.At) - 0.5, a.in.W, 1}, a.theme.Grid)
	}
	if a.noGridX {
		return
	}
	for _, t := range a.xTicks.List {
		s.rect(Box{a.px(t.At) - 0.5, a.in.Y, 1, a.in.H}, a.theme.Grid)
	}
}

// draw draws the border, the ticks and all labels, after the data. b is the box
// given to layout.
func (a *axes) draw(s *Scene, b Box) {
	th := a.theme
	s.border(a.in, th.Grey)
	end := [2]float64{math.Inf(-1), math.Inf(-1)}
	y := a.in.Bottom() + tickLength + tickGap + tickSize/2
	for _, t := range a.inOrder() {
		px := a.px(t.At)
		s.rect(Box{px - 0.5, a.in.Bottom(), 1, tickLength}, th.Grey)
		for i, text := range []string{t.Label, t.Sub} {
			x, w := a.labelAt(t, text, b)
			if text == "" || x < end[i]+4 || w > b.W {
				continue
			}
			s.add(&Text{X: x, Y: y + float64(i)*lineHeight, Size: tickSize, S: text, Color: th.Ink})
			end[i] = x + w
		}
	}
	if text := join(a.xLabel, a.xTicks.Note()); text != "" {
		text = cut(text, b.W, labelSize, false)
		w := TextWidth(text, labelSize, false)
		x := clamp(a.in.X+a.in.W/2-w/2, b.X, max(b.X, b.Right()-w))
		s.add(&Text{X: x, Y: b.Bottom() - labelSize/2, Size: labelSize, S: text, Color: th.Grey})
	}
	room := a.in.X - b.X - tickLength - tickGap
	if a.yLabel != "" || a.yTicks.Note() != "" {
		room -= labelSize + 4
	}
	last := math.Inf(1)
	for _, t := range a.yTicks.List {
		py := a.py(t.At)
		s.rect(Box{a.in.X - tickLength, py - 0.5, tickLength, 1}, th.Grey)
		at := clamp(py, b.Y+tickSize/2, b.Bottom()-tickSize/2)
		if math.Abs(at-last) < tickSize+1 {
			continue
		}
		last = at
		s.add(&Text{X: a.in.X - tickLength - tickGap, Y: at, Size: tickSize, Anchor: End, S: cut(oneLine(t), room, tickSize, false), Color: th.Ink})
	}
	if text := join(a.yLabel, a.yTicks.Note()); text != "" {
		s.upright(text, b.X+labelSize/2, Box{b.X, b.Y, b.W, a.in.Bottom() - b.Y}, a.in, th)
	}
}

// upright writes a text upwards, next to an area, within a box.
func (s *Scene) upright(text string, x float64, b, in Box, th *Theme) {
	text = cut(text, b.H, labelSize, false)
	w := TextWidth(text, labelSize, false)
	y := clamp(in.Y+in.H/2, b.Y+w/2, max(b.Y+w/2, b.Bottom()-w/2))
	s.add(&Text{X: x, Y: y, Size: labelSize, Anchor: Middle, Upright: true, S: text, Color: th.Grey})
}

func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "  " + b
}
