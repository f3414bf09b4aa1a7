package draw

import (
	"image"
	"image/color"
)

// A Scene is a picture as a list of shapes, in the order in which they are painted.
// Coordinates are in pixels times 1/Zoom, from the upper left corner.
type Scene struct {
	W, H   float64 // size in pixels
	Zoom   float64 // pixels per unit of the coordinates
	Title  string  // describes the picture for those who cannot see it
	Back   color.RGBA
	Shapes []Shape
}

// A Shape is a *Rect, *Path, *Disc, *Text or *Bitmap.
type Shape interface {
	// Bounds returns the rectangle that holds the shape.
	Bounds() Box
}

// A Box is a rectangle.
type Box struct{ X, Y, W, H float64 }

// Right returns the right edge.
func (b Box) Right() float64 { return b.X + b.W }

// Bottom returns the lower edge.
func (b Box) Bottom() float64 { return b.Y + b.H }

// Overlaps reports whether two boxes share more than an edge.
func (b Box) Overlaps(c Box) bool {
	return b.X < c.Right() && c.X < b.Right() && b.Y < c.Bottom() && c.Y < b.Bottom()
}

// A Rect is a filled rectangle with edges along the axes, which a rasterizer rounds
// to whole pixels.
type Rect struct {
	Box
	Fill color.RGBA
}

// A Path is a polyline, or a polygon if it is filled.
type Path struct {
	Points []Point
	Fill   bool
	Width  float64 // width of the line
	Color  color.RGBA
}

// A Point is a position.
type Point struct{ X, Y float64 }

// A Disc is a circle; it is filled unless Width, the width of its line, is
// positive.
type Disc struct {
	X, Y, R, Width float64
	Color          color.RGBA
}

// An Anchor is the part of a text that is at its position.
type Anchor int

// These are the anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// A Text is a line of text. Y is its middle. An upright text is rotated by 90
// degrees counterclockwise around its position.
type Text struct {
	X, Y, Size float64
	Anchor     Anchor
	Bold       bool
	Upright    bool
	S          string
	Color      color.RGBA
}

// A Bitmap is an image that is stretched over a box, without smoothing.
type Bitmap struct {
	Box
	Image *image.RGBA
}

// Bounds implements Shape.
func (r *Rect) Bounds() Box { return r.Box }

// Bounds implements Shape.
func (b *Bitmap) Bounds() Box { return b.Box }

// Bounds implements Shape.
func (d *Disc) Bounds() Box {
	r := d.R + d.Width/2
	return Box{d.X - r, d.Y - r, 2 * r, 2 * r}
}

// Bounds implements Shape.
func (p *Path) Bounds() Box {
	if len(p.Points) == 0 {
		return Box{}
	}
	lo, hi := p.Points[0], p.Points[0]
	for _, q := range p.Points {
		lo.X, lo.Y = min(lo.X, q.X), min(lo.Y, q.Y)
		hi.X, hi.Y = max(hi.X, q.X), max(hi.Y, q.Y)
	}
	h := p.Width / 2
	return Box{lo.X - h, lo.Y - h, hi.X - lo.X + p.Width, hi.Y - lo.Y + p.Width}
}

// Bounds implements Shape. The height is that of capitals and descenders.
func (t *Text) Bounds() Box {
	w, h := TextWidth(t.S, t.Size, t.Bold), t.Size
	x := -w * float64(t.Anchor) / 2
	if t.Upright {
		return Box{t.X - h/2, t.Y - x - w, h, w}
	}
	return Box{t.X + x, t.Y - h/2, w, h}
}

func (s *Scene) add(shapes ...Shape) { s.Shapes = append(s.Shapes, shapes...) }

func (s *Scene) rect(b Box, fill color.RGBA) { s.add(&Rect{b, fill}) }

// border draws the outline of a box, outside it.
func (s *Scene) border(b Box, c color.RGBA) {
	s.rect(Box{b.X - 1, b.Y - 1, b.W + 2, 1}, c)
	s.rect(Box{b.X - 1, b.Bottom(), b.W + 2, 1}, c)
	s.rect(Box{b.X - 1, b.Y, 1, b.H}, c)
	s.rect(Box{b.Right(), b.Y, 1, b.H}, c)
}
