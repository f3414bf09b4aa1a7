package raster

import (
	"image"
	"image/color"
	"math"
	"testing"

	"golang.org/x/image/font"

	scene "github.com/seed03b80dae/blosc2/internal/draw"
)

// Texts need no more space than the layout reserves, and not much less.
func TestTextWidth(t *testing.T) {
	p := &painter{zoom: 1, faces: map[style]font.Face{}}
	for _, text := range []string{"0.25", "1,234,567", "temperature (K)", "−10", "×10⁻⁶", "a very long name of a file.b2nd [0, :, 17:200:3]", "WWW", "iii"} {
		for _, bold := range []bool{false, true} {
			got := float64(font.MeasureString(p.face(12, bold), text)) / 64
			room := scene.TextWidth(text, 12, bold)
			if got > room || got < room*0.7 {
				t.Errorf("%q needs %.1f, has %.1f", text, got, room)
			}
		}
	}
}

// dark returns the fraction of dark pixels in a rectangle.
func dark(m *image.RGBA, r image.Rectangle) float64 {
	sum := 0.0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			sum += float64(255-m.RGBAAt(x, y).G) / 255
		}
	}
	return sum
}

// Each shape covers the area that geometry predicts.
func TestAreas(t *testing.T) {
	black := color.RGBA{0, 0, 0, 255}
	bitmap := image.NewRGBA(image.Rect(0, 0, 2, 1))
	bitmap.SetRGBA(0, 0, black)
	bitmap.SetRGBA(1, 0, color.RGBA{255, 255, 255, 255})
	for _, c := range []struct {
		name string
		s    scene.Shape
		want float64 // area in pixels, at a zoom of 1
	}{
		{"rectangle", &scene.Rect{Box: scene.Box{X: 10, Y: 10, W: 20, H: 30}, Fill: black}, 600},
		{"triangle", &scene.Path{Points: []scene.Point{{X: 10, Y: 10}, {X: 50, Y: 10}, {X: 10, Y: 50}}, Fill: true, Color: black}, 800},
		{"line", &scene.Path{Points: []scene.Point{{X: 10, Y: 10}, {X: 50, Y: 40}}, Width: 2, Color: black}, 100},
		{"disc", &scene.Disc{X: 40, Y: 40, R: 20, Color: black}, math.Pi * 400},
		{"circle", &scene.Disc{X: 40, Y: 40, R: 20, Width: 2, Color: black}, math.Pi * (441 - 361)},
		{"bitmap", &scene.Bitmap{Box: scene.Box{X: 10, Y: 10, W: 40, H: 10}, Image: bitmap}, 200},
	} {
		for _, zoom := range []float64{1, 2} {
			m := Paint(&scene.Scene{W: 80 * zoom, H: 80 * zoom, Zoom: zoom, Back: color.RGBA{255, 255, 255, 255}, Shapes: []scene.Shape{c.s}})
			got, want := dark(m, m.Bounds()), c.want*zoom*zoom
			if math.Abs(got-want) > want*0.02 {
				t.Errorf("%s, zoom %v: %.1f pixels, want %.1f", c.name, zoom, got, want)
			}
		}
	}
}

// A text is within its bounds, for every anchor and rotation.
func TestTextPlace(t *testing.T) {
	for _, anchor := range []scene.Anchor{scene.Start, scene.Middle, scene.End} {
		for _, upright := range []bool{false, true} {
			text := &scene.Text{X: 100, Y: 100, Size: 14, Anchor: anchor, Upright: upright, S: "Temperature", Color: color.RGBA{0, 0, 0, 255}}
			m := Paint(&scene.Scene{W: 200, H: 200, Zoom: 1, Back: color.RGBA{255, 255, 255, 255}, Shapes: []scene.Shape{text}})
			b := text.Bounds()
			in := image.Rect(int(b.X)-2, int(b.Y)-2, int(b.Right())+2, int(b.Bottom())+2)
			all, inside := dark(m, m.Bounds()), dark(m, in)
			if all < 50 || inside < all*0.999 {
				t.Errorf("anchor %d, upright %v: %.1f of %.1f are within %v", anchor, upright, inside, all, b)
			}
		}
	}
}

// Shapes outside the picture, and numbers that are too large, are harmless.
func TestOutside(t *testing.T) {
	far := []scene.Point{{X: -1e6, Y: 5}, {X: 1e6, Y: 7}, {X: 3, Y: -1e6}}
	s := &scene.Scene{W: 20, H: 20, Zoom: 1, Shapes: []scene.Shape{
		&scene.Path{Points: far, Width: 1}, &scene.Path{Points: far, Fill: true}, &scene.Disc{X: -500, Y: 3, R: 4},
		&scene.Text{X: 1e5, Y: -40, Size: 12, S: "far"}, &scene.Rect{Box: scene.Box{X: -9, Y: -9, W: 3000, H: 3000}}, &scene.Path{},
	}}
	if b := Paint(s).Bounds(); b.Dx() != 20 || b.Dy() != 20 {
		t.Errorf("%v", b)
	}
}
