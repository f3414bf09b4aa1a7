package draw

import (
	"image"
	"image/color"
	"math"
)

type rgba = color.RGBA

// A Heat is an image of a table, with a colour for each number and a bar of
// colours. Row 0 is at the top. NewHeat returns one that is ready for numbers.
type Heat struct {
	Options
	X, Y     Axis
	Label    string // label of the bar of colours
	Seconds  float64
	Log      bool
	Palette  *Palette
	Stretch  float64 // share of the cells that lie beyond either end of the colours
	Lo, Hi   float64 // numbers at the ends of the colours; if equal, those of the data
	Absolute bool    // the picture has exactly the given size; otherwise it is as small as the image allows
	// MissingWords is the name of missing numbers; "" means NaN or infinite.
	MissingWords string

	*Grid
	area Box     // box of the image
	top  float64 // upper end of the space below the titles
}

// These are the sizes of the bar of colours and its labels.
const (
	barGap   = 18
	barWidth = 14
	barRoom  = barGap + barWidth + tickLength + tickGap + 62 + labelSize + 8
)

// NewHeat completes a Heat: it lays out the image and makes its Grid.
func NewHeat(h Heat) *Heat {
	if h.Palette == nil {
		h.Palette = Palettes[0]
	}
	h.defaults()
	h.scale = h.zoom()
	s, b := h.begin()
	h.top = b.Y
	a := h.axes()
	left := min(a.leftRoom(b.H), b.W/3)
	b.W -= min(barRoom, b.W/2)
	a.xTicks = a.x.Ticks(8)
	room := Box{b.X + left, b.Y + 8, max(b.W-left, 1), max(b.H-a.bottomRoom()-8, 1)}
	w, ht := Fit(h.X.N, h.Y.N, room.W*s.Zoom, room.H*s.Zoom)
	h.area = Box{room.X, room.Y, w / s.Zoom, ht / s.Zoom}
	if h.Absolute {
		h.area.X += (room.W - h.area.W) / 2
		h.area.Y += (room.H - h.area.H) / 2
	}
	h.Grid = NewGrid(h.Y.N, h.X.N, int(w), int(ht), h.Log)
	return &h
}

func (h *Heat) axes() *axes {
	a := &axes{x: h.X.Scale(), y: h.Y.Scale(), xLabel: h.X.Label, yLabel: h.Y.Label, theme: h.Theme, noGrid: true}
	a.placeX = func(v float64) float64 { return h.X.Place(a.x, v) }
	a.placeY = func(v float64) float64 { return h.Y.Place(a.y, v) }
	return a
}

// Fit returns the size of an image in pixels: items are square if the shape allows
// it, and have a whole number of pixels if the difference would be visible.
func Fit(cols, rows int64, w, h float64) (float64, float64) {
	scale := min(w/float64(cols), h/float64(rows))
	if scale > 4 {
		scale = math.Floor(scale)
	}
	return side(cols, scale, w), side(rows, scale, h)
}

// side returns the length of a side: at least a fifth of the available space,
// even if items must be stretched.
func side(n int64, scale, most float64) float64 {
	least := math.Floor(most / 5)
	if p := math.Round(float64(n) * scale); p >= least {
		return max(1, math.Floor(min(p, most)))
	}
	if float64(n) >= least {
		return max(1, least)
	}
	return float64(n) * math.Floor(max(1, least/float64(n)))
}

// colors returns the scale of the colours, and whether numbers lie beyond its ends.
func (h *Heat) colors() (s Scale, below, above bool) {
	least, most, _ := h.Range(0)
	lo, hi := least, most
	if h.Lo != h.Hi {
		lo, hi = h.Lo, h.Hi
	} else if h.Stretch > 0 {
		lo, hi, _ = h.Range(h.Stretch)
	}
	s = NewScale(lo, hi, h.Log)
	s.Seconds = h.Seconds
	return s, least < s.Lo, most > s.Hi
}

// Scene draws the chart.
func (h *Heat) Scene() *Scene {
	values, below, above := h.colors()
	z := h.zoom()
	a := h.axes()
	area := h.area
	box := Box{margin, area.Y - 8, 0, 0}
	if !h.Absolute {
		// The picture ends with its labels, but not before the end of the title.
		a.leftRoom(area.H)
		need := area.Right() + barGap + h.barWidth(values, area.H) + margin
		for _, t := range []Text{{S: h.Title, Size: titleSize, Bold: true}, {S: h.Note, Size: labelSize}} {
			need = max(need, 2*margin+TextWidth(t.S, t.Size, t.Bold)+min(float64(h.Missing), 1)*170)
		}
		a.xTicks = a.x.Ticks(8)
		h.Width = int(math.Ceil(clamp(need, 300, float64(h.Width)/z) * z))
		h.Height = int(math.Ceil(min(area.Bottom()+a.bottomRoom()+margin, float64(h.Height)/z) * z))
	}
	s, _ := h.begin()
	box.W = min(area.Right()+barGap, s.W/s.Zoom) - margin
	box.H = area.Bottom() + a.bottomRoom() - box.Y
	words := h.MissingWords
	if words == "" {
		words = missingWords(h.Log)
	}
	h.missing(s, h.Missing, words)
	a.in = area
	a.leftRoom(area.H)
	a.fit(box)
	box.H = area.Bottom() + a.bottomRoom() - box.Y
	if need := a.leftRoom(area.H); h.Absolute && need < area.X-margin {
		box.X = area.X - need
		box.W -= box.X - margin
	}
	s.add(&Bitmap{area, h.Bitmap(values)})
	a.draw(s, box)
	h.bar(s, Box{area.Right() + barGap, area.Y, barWidth, area.H}, values, below, above)
	return s
}

// Values returns the scale of the colours.
func (h *Heat) Values() Scale {
	s, _, _ := h.colors()
	return s
}

// Bitmap returns the image, with a pixel for each cell of the Grid.
func (h *Heat) Bitmap(values Scale) *image.RGBA {
	w, ht := h.Size()
	m := image.NewRGBA(image.Rect(0, 0, w, ht))
	for y := range ht {
		for x := range w {
			v, ok, empty := h.At(x, y)
			switch {
			case empty:
				m.SetRGBA(x, y, h.Theme.Back)
			case !ok:
				m.SetRGBA(x, y, h.Theme.Missing)
			default:
				m.SetRGBA(x, y, h.Palette.At(values.Place(v)))
			}
		}
	}
	return m
}

// barWidth returns the width of a bar of colours of the given height with its
// labels.
func (h *Heat) barWidth(values Scale, height float64) float64 {
	ticks := values.Ticks(barTicks(height))
	wide := 0.0
	for _, t := range ticks.List {
		wide = max(wide, TextWidth(oneLine(t), tickSize, false))
	}
	if join(h.Label, ticks.Note()) != "" {
		wide += labelSize + 8
	}
	return min(barWidth+tickLength+tickGap+wide, barRoom-barGap)
}

// barTicks returns the approximate number of ticks at a bar of the given height.
func barTicks(height float64) int { return int(clamp(height/40, 2, 10)) }

// bar draws the bar of colours with its ticks, and a point at each end beyond which
// there are numbers.
func (h *Heat) bar(s *Scene, b Box, values Scale, below, above bool) {
	const steps = 256
	m := image.NewRGBA(image.Rect(0, 0, 1, steps))
	for i := range steps {
		m.SetRGBA(0, i, h.Palette.At(1-float64(i)/(steps-1)))
	}
	const point = 9
	if above {
		s.add(&Path{Points: []Point{{b.X, b.Y + point}, {b.X + b.W/2, b.Y}, {b.Right(), b.Y + point}}, Fill: true, Color: h.Palette.At(1)})
		b.Y, b.H = b.Y+point+2, b.H-point-2
	}
	if below {
		s.add(&Path{Points: []Point{{b.X, b.Bottom() - point}, {b.X + b.W/2, b.Bottom()}, {b.Right(), b.Bottom() - point}}, Fill: true, Color: h.Palette.At(0)})
		b.H -= point + 2
	}
	b.H = max(b.H, 1)
	s.add(&Bitmap{b, m})
	s.border(b, h.Theme.Grey)
	ticks := values.Ticks(barTicks(b.H))
	wide, last := 0.0, math.Inf(1)
	x := b.Right() + tickLength + tickGap
	room := s.W/s.Zoom - x - 4
	label := join(h.Label, ticks.Note())
	if label != "" {
		room -= labelSize + 6
	}
	for _, t := range ticks.List {
		y := b.Y + (1-values.Place(t.At))*b.H
		s.rect(Box{b.Right(), y - 0.5, tickLength, 1}, h.Theme.Grey)
		if math.Abs(y-last) < tickSize+2 {
			continue
		}
		last = y
		text := cut(oneLine(t), room, tickSize, false)
		wide = max(wide, TextWidth(text, tickSize, false))
		s.add(&Text{X: x, Y: y, Size: tickSize, S: text, Color: h.Theme.Ink})
	}
	if label != "" {
		full := Box{b.X, h.top, b.W, s.H/s.Zoom - margin - h.top}
		s.upright(label, min(x+wide+8+labelSize/2, s.W/s.Zoom-labelSize/2-3), full, b, h.Theme)
	}
}
