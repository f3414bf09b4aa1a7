// Package raster paints scenes of internal/draw as images.
package raster

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	scene "github.com/seed03b80dae/blosc2/internal/draw"
)

// Paint returns the scene as an image of the scene's size.
func Paint(s *scene.Scene) *image.RGBA {
	p := &painter{RGBA: image.NewRGBA(image.Rect(0, 0, int(math.Round(s.W)), int(math.Round(s.H)))), zoom: s.Zoom, faces: map[style]font.Face{}}
	draw.Draw(p, p.Bounds(), image.NewUniform(s.Back), image.Point{}, draw.Src)
	for _, shape := range s.Shapes {
		switch v := shape.(type) {
		case *scene.Rect:
			draw.Draw(p, p.pixels(v.Box), image.NewUniform(v.Fill), image.Point{}, draw.Src)
		case *scene.Bitmap:
			p.bitmap(v)
		case *scene.Path:
			p.path(v)
		case *scene.Disc:
			p.disc(v)
		case *scene.Text:
			p.text(v)
		}
	}
	return p.RGBA
}

// A painter is an image that is being painted.
type painter struct {
	*image.RGBA
	zoom  float64
	faces map[style]font.Face
}

type style struct {
	size float64
	bold bool
}

// pixels returns the pixels of a box, at least one along either side.
func (p *painter) pixels(b scene.Box) image.Rectangle {
	side := func(at, size float64) (int, int) {
		first := int(math.Round(at * p.zoom))
		return first, max(first+1, int(math.Round((at+size)*p.zoom)))
	}
	x0, x1 := side(b.X, b.W)
	y0, y1 := side(b.Y, b.H)
	return image.Rect(x0, y0, x1, y1)
}

// bitmap stretches an image over its box.
func (p *painter) bitmap(v *scene.Bitmap) {
	to, from := p.pixels(v.Box), v.Image.Bounds()
	for y := to.Min.Y; y < to.Max.Y; y++ {
		fy := from.Min.Y + (y-to.Min.Y)*from.Dy()/to.Dy()
		for x := to.Min.X; x < to.Max.X; x++ {
			p.SetRGBA(x, y, v.Image.RGBAAt(from.Min.X+(x-to.Min.X)*from.Dx()/to.Dx(), fy))
		}
	}
}

// A pen fills smooth shapes within a rectangle of the image, all in one colour.
type pen struct {
	*vector.Rasterizer
	at   image.Rectangle
	zoom float64
}

// pen returns a pen for shapes within a box.
func (p *painter) pen(b scene.Box) (*pen, bool) {
	r := p.pixels(b).Inset(-2).Intersect(p.Bounds())
	if r.Empty() {
		return nil, false
	}
	return &pen{vector.NewRasterizer(r.Dx(), r.Dy()), r, p.zoom}, true
}

func (p *pen) point(q scene.Point) (x, y float32) {
	return float32(q.X*p.zoom - float64(p.at.Min.X)), float32(q.Y*p.zoom - float64(p.at.Min.Y))
}

func (p *pen) polygon(points ...scene.Point) {
	for i, q := range points {
		x, y := p.point(q)
		if i == 0 {
			p.MoveTo(x, y)
		} else {
			p.LineTo(x, y)
		}
	}
	p.ClosePath()
}

// stroke draws a line between two points. All strokes turn the same way. Otherwise
// strokes that overlap would cancel each other.
func (p *pen) stroke(a, b scene.Point, width float64) {
	dx, dy := b.X-a.X, b.Y-a.Y
	long := math.Hypot(dx, dy)
	if long == 0 {
		return
	}
	nx, ny := -dy/long*width/2, dx/long*width/2
	p.polygon(scene.Point{X: a.X + nx, Y: a.Y + ny}, scene.Point{X: b.X + nx, Y: b.Y + ny}, scene.Point{X: b.X - nx, Y: b.Y - ny}, scene.Point{X: a.X - nx, Y: a.Y - ny})
}

// circle adds a circle of four curves, in the opposite direction if inner is set.
func (p *pen) circle(x, y, r float64, inner bool) {
	// A Bézier curve whose control points are at this distance approximates a quarter.
	const k = 0.5522847498
	sign := 1.0
	if inner {
		sign = -1
	}
	at := func(cx, cy float64) (float32, float32) { return p.point(scene.Point{X: x + cx*r, Y: y + sign*cy*r}) }
	p.MoveTo(at(1, 0))
	for _, c := range [][6]float64{{1, k, k, 1, 0, 1}, {-k, 1, -1, k, -1, 0}, {-1, -k, -k, -1, 0, -1}, {k, -1, 1, -k, 1, 0}} {
		bx, by := at(c[0], c[1])
		cx, cy := at(c[2], c[3])
		dx, dy := at(c[4], c[5])
		p.CubeTo(bx, by, cx, cy, dx, dy)
	}
	p.ClosePath()
}

func (p *painter) ink(with *pen, c color.RGBA) {
	with.Draw(p, with.at, image.NewUniform(c), image.Point{})
}

func (p *painter) path(v *scene.Path) {
	with, ok := p.pen(v.Bounds())
	if !ok {
		return
	}
	if v.Fill {
		with.polygon(v.Points...)
	}
	for i := 1; i < len(v.Points) && !v.Fill; i++ {
		with.stroke(v.Points[i-1], v.Points[i], v.Width)
	}
	p.ink(with, v.Color)
}

func (p *painter) disc(v *scene.Disc) {
	with, ok := p.pen(v.Bounds())
	if !ok {
		return
	}
	with.circle(v.X, v.Y, v.R+v.Width/2, false)
	if v.Width > 0 {
		with.circle(v.X, v.Y, v.R-v.Width/2, true)
	}
	p.ink(with, v.Color)
}

// fonts parses the fonts once.
var fonts = sync.OnceValue(func() (both [2]*opentype.Font) {
	for i, data := range [][]byte{goregular.TTF, gobold.TTF} {
		f, err := opentype.Parse(data)
		if err != nil {
			panic(err) // impossible: the fonts are constants
		}
		both[i] = f
	}
	return both
})

func (p *painter) face(size float64, bold bool) font.Face {
	s := style{size, bold}
	if p.faces[s] == nil {
		f := fonts()[0]
		if bold {
			f = fonts()[1]
		}
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size * p.zoom, DPI: 72, Hinting: font.HintingVertical})
		if err != nil {
			panic(err) // NewFace never returns an error
		}
		p.faces[s] = face
	}
	return p.faces[s]
}

func (p *painter) text(v *scene.Text) {
	face := p.face(v.Size, v.Bold)
	width := font.MeasureString(face, v.S)
	down := fixed.Int26_6(math.Round(scene.Baseline * v.Size * p.zoom * 64))
	if v.Upright {
		p.upright(v, face, width, down)
		return
	}
	d := font.Drawer{Dst: p, Src: image.NewUniform(v.Color), Face: face}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(v.X*p.zoom*64) - width*fixed.Int26_6(v.Anchor)/2, Y: (fixed.Int26_6(v.Y*p.zoom*64) + down + 32) &^ 63}
	d.DrawString(v.S)
}

// upright paints a text on a separate image and rotates it.
func (p *painter) upright(v *scene.Text, face font.Face, width, down fixed.Int26_6) {
	w, h := width.Ceil()+2, int(v.Size*p.zoom*1.6)+2
	lying := image.NewAlpha(image.Rect(0, 0, w, h))
	d := font.Drawer{Dst: lying, Src: image.Opaque, Face: face, Dot: fixed.Point26_6{X: 64, Y: fixed.I(h/2) + down}}
	d.DrawString(v.S)
	turned := image.NewAlpha(image.Rect(0, 0, h, w))
	for y := range h {
		for x := range w {
			turned.SetAlpha(y, w-1-x, lying.AlphaAt(x, y))
		}
	}
	x := int(math.Round(v.X*p.zoom)) - h/2
	y := int(math.Round(v.Y*p.zoom)) - w + w*int(v.Anchor)/2
	draw.DrawMask(p, turned.Bounds().Add(image.Pt(x, y)), image.NewUniform(v.Color), image.Point{}, turned, image.Point{}, draw.Over)
}
