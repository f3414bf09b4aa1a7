package serve

import (
	_ "embed"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

//go:embed page/palettes.json
var palettesJSON []byte

// palettes returns the colours of each palette at equal steps.
var palettes = sync.OnceValue(func() map[string][]color.RGBA {
	var texts map[string][]string
	all := map[string][]color.RGBA{}
	if json.Unmarshal(palettesJSON, &texts) != nil {
		return all
	}
	for name, list := range texts {
		for _, hex := range list {
			n, _ := strconv.ParseUint(hex, 16, 32)
			all[name] = append(all[name], color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff})
		}
	}
	return all
})

// missing is the colour of what is not a finite number.
var missing = color.RGBA{0xb0, 0xb0, 0xb0, 0xff}

// maxSide is the largest width and height of a picture, in pixels.
const maxSide = 8192

func (a *answer) checkPicture() error {
	shape := a.shape()
	if len(shape) != 1 && len(shape) != 2 {
		return badf("a picture requires a window of one or two dimensions; this one has shape %v", shape)
	}
	for _, n := range shape {
		if n == 0 {
			return badf("a picture of shape %v is empty", shape)
		}
		if n > maxSide {
			return statusf(http.StatusRequestEntityTooLarge, "a picture of shape %v: each side can have %d pixels; ask for a stride", shape, maxSide)
		}
	}
	if palettes()[a.palette] == nil {
		return badf("palette %q: must be viridis, plasma, inferno, magma or cividis", abridged(a.palette))
	}
	return nil
}

// writePicture writes a heat map with a pixel for each item.
func (a *answer) writePicture() error {
	values := make([]float64, 0, a.items())
	err := a.each(a.r.Context(), a.plan, func(b []byte) error {
		values = a.conv(values, b)
		return nil
	})
	if err != nil {
		return err
	}
	shape := a.shape()
	rows, cols := 1, int(shape[len(shape)-1])
	if len(shape) == 2 {
		rows = int(shape[0])
	}
	return png.Encode(a, heatMap(values, rows, cols, palettes()[a.palette], a.stretch, a.log))
}

// heatMap draws rows of numbers, with a colour for each. The colours cover the
// numbers between two percentiles. It changes values where log is set.
func heatMap(values []float64, rows, cols int, palette []color.RGBA, stretch [2]float64, log bool) image.Image {
	if log {
		for i, v := range values {
			values[i] = math.Log10(v) // NaN or -Inf where there is no logarithm
		}
	}
	lo, hi := between(values, stretch)
	shades := make(color.Palette, 256)
	for i := range 255 {
		shades[i] = mix(palette, float64(i)/254)
	}
	shades[255] = missing
	m := image.NewPaletted(image.Rect(0, 0, cols, rows), shades)
	for i, v := range values {
		switch {
		case !finite(v):
			m.Pix[i] = 255
		case hi > lo:
			m.Pix[i] = uint8(math.Round(254 * min(max((v-lo)/(hi-lo), 0), 1)))
		default:
			m.Pix[i] = 127
		}
	}
	return m
}

// between returns the numbers at two percentiles of a sample of the finite values.
func between(values []float64, stretch [2]float64) (lo, hi float64) {
	const most = 1 << 16
	step := max(len(values)/most, 1)
	var sample []float64
	for i := 0; i < len(values); i += step {
		if finite(values[i]) {
			sample = append(sample, values[i])
		}
	}
	if len(sample) == 0 {
		return 0, 0
	}
	slices.Sort(sample)
	at := func(p float64) float64 { return sample[int(math.Round(p/100*float64(len(sample)-1)))] }
	lo, hi = at(stretch[0]), at(stretch[1])
	if lo == hi { // most are equal
		lo, hi = sample[0], sample[len(sample)-1]
	}
	return lo, hi
}

// mix returns the colour of a palette at a position from 0 to 1.
func mix(palette []color.RGBA, part float64) color.RGBA {
	f := part * float64(len(palette)-1)
	i := min(int(f), len(palette)-2)
	f -= float64(i)
	a, b := palette[i], palette[i+1]
	part8 := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-f) + float64(b)*f)) }
	return color.RGBA{part8(a.R, b.R), part8(a.G, b.G), part8(a.B, b.B), 0xff}
}
