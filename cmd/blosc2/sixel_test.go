package main

import (
	"image"
	"image/color"
	"testing"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/raster"
	"github.com/seed03b80dae/blosc2/internal/draw"
)

// A picture has at most 255 colours. The colours of the background and of text do not
// change, and all others change little.
func TestRegisters(t *testing.T) {
	h := draw.NewHeat(draw.Heat{Options: draw.Options{Title: "a title", Width: 700, Height: 450}, X: draw.Axis{Step: 1, N: 400, Label: "x"}, Y: draw.Axis{Step: 1, N: 300, Label: "y"}})
	for i := range 300 * 400 {
		h.Add(float64(i % 5000))
	}
	m := raster.Paint(h.Scene())
	p := registers(m)
	if n := len(p.Palette); n > 255 || n < 100 {
		t.Errorf("%d colours", n)
	}
	b := m.Bounds()
	white, worst := 0, 0
	for y := range b.Dy() {
		for x := range b.Dx() {
			was, is := m.RGBAAt(x, y), p.At(x, y).(color.RGBA)
			if was == draw.Light.Back {
				white++
				if is != was {
					t.Fatalf("the background at %d,%d is %v", x, y, is)
				}
			}
			for _, d := range []int{int(was.R) - int(is.R), int(was.G) - int(is.G), int(was.B) - int(is.B)} {
				worst = max(worst, d, -d)
			}
		}
	}
	if white == 0 || worst > 15 {
		t.Errorf("%d pixels of background; a colour is off by %d of 255", white, worst)
	}
	// If a picture has few colours, none of them changes.
	few := image.NewRGBA(image.Rect(0, 0, 16, 15))
	for i := range 240 {
		few.SetRGBA(i%16, i/16, color.RGBA{uint8(i), uint8(3 * i), 7, 0xff})
	}
	p = registers(few)
	for i := range 240 {
		if p.At(i%16, i/16) != few.RGBAAt(i%16, i/16) {
			t.Fatalf("colour %d of 240 changed", i)
		}
	}
}
