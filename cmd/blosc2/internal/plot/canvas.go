package plot

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Sizes of a character, in pixels.
const (
	charWidth  = 8
	charHeight = 16
)

// A canvas is an image with its drawing operations.
type canvas struct{ *image.RGBA }

func newCanvas(w, h int) canvas {
	c := canvas{image.NewRGBA(image.Rect(0, 0, w, h))}
	c.fill(c.Bounds(), white)
	return c
}

func (c canvas) fill(r image.Rectangle, with color.RGBA) {
	draw.Draw(c, r, image.NewUniform(with), image.Point{}, draw.Src)
}

// frame draws a border around r.
func (c canvas) frame(r image.Rectangle) {
	for _, side := range []image.Rectangle{
		image.Rect(r.Min.X-1, r.Min.Y-1, r.Max.X+1, r.Min.Y), image.Rect(r.Min.X-1, r.Max.Y, r.Max.X+1, r.Max.Y+1),
		image.Rect(r.Min.X-1, r.Min.Y, r.Min.X, r.Max.Y), image.Rect(r.Max.X, r.Min.Y, r.Max.X+1, r.Max.Y),
	} {
		c.fill(side, grey)
	}
}

// text writes a line whose left end is at x and whose middle is at y.
func (c canvas) text(x, y int, s string, in color.RGBA) {
	c.write(inconsolata.Regular8x16, x, y, s, in)
}

func (c canvas) bold(x, y int, s string) { c.write(inconsolata.Bold8x16, x, y, s, ink) }

func (c canvas) write(face *basicfont.Face, x, y int, s string, in color.RGBA) {
	d := font.Drawer{Dst: c, Src: image.NewUniform(in), Face: face, Dot: fixed.P(x, y+charHeight/2-4)}
	d.DrawString(s)
}

// width returns the width of a text in pixels.
func width(s string) int { return charWidth * utf8.RuneCountInString(s) }

// widest returns the width of the widest label of a scale.
func (s *scale) widest() int {
	w := 0
	for _, t := range s.ticks {
		w = max(w, width(t.label))
	}
	return w
}

// below draws an axis below r.
func (c canvas) below(r image.Rectangle, s scale, name string) {
	end := -1 << 20
	for _, t := range s.ticks {
		x := r.Min.X + int(s.part(t.at)*float64(r.Dx()))
		c.fill(image.Rect(x, r.Max.Y, x+1, r.Max.Y+5), grey)
		if at := x - width(t.label)/2; at > end {
			c.text(at, r.Max.Y+15, t.label, ink)
			end = at + width(t.label) + charWidth
		}
	}
	c.text((r.Min.X+r.Max.X-width(name))/2, r.Max.Y+35, name, grey)
}

// beside draws an axis to the left of r, or to the right.
func (c canvas) beside(r image.Rectangle, place func(v float64) float64, s scale, right bool) {
	for _, t := range s.ticks {
		y := min(r.Min.Y+int(place(t.at)*float64(r.Dy())), r.Max.Y-1)
		if right {
			c.fill(image.Rect(r.Max.X, y, r.Max.X+5, y+1), grey)
			c.text(r.Max.X+9, y, t.label, ink)
		} else {
			c.fill(image.Rect(r.Min.X-5, y, r.Min.X, y+1), grey)
			c.text(r.Min.X-9-width(t.label), y, t.label, ink)
		}
	}
}

// A pen draws smooth shapes within a rectangle of the canvas, all in one
// colour.
type pen struct {
	on *vector.Rasterizer
	r  image.Rectangle
}

func newPen(r image.Rectangle) pen { return pen{vector.NewRasterizer(r.Dx(), r.Dy()), r} }

// stroke draws a line between two points, in pixels from the rectangle's corner.
func (p pen) stroke(x0, y0, x1, y1, thick float64) {
	dx, dy := x1-x0, y1-y0
	long := math.Hypot(dx, dy)
	if long == 0 {
		return
	}
	nx, ny := -dy/long*thick/2, dx/long*thick/2
	p.shape(x0+nx, y0+ny, x1+nx, y1+ny, x1-nx, y1-ny, x0-nx, y0-ny)
}

// box fills a rectangle.
func (p pen) box(x0, y0, x1, y1 float64) { p.shape(x1, y0, x0, y0, x0, y1, x1, y1) }

func (p pen) shape(xy ...float64) {
	p.on.MoveTo(float32(xy[0]), float32(xy[1]))
	for i := 2; i < len(xy); i += 2 {
		p.on.LineTo(float32(xy[i]), float32(xy[i+1]))
	}
	p.on.ClosePath()
}

func (p pen) ink(c canvas, with color.RGBA) { p.on.Draw(c, p.r, image.NewUniform(with), image.Point{}) }
