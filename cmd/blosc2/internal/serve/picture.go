package serve

import (
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"net/http"
	"path"
	"strings"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/raster"
	"github.com/seed03b80dae/blosc2/internal/draw"
)

// These are the limits of pictures, in pixels.
const (
	maxSide  = 8192 // longest side of a picture with a pixel for each item
	minChart = 100  // shortest side of a chart
	maxChart = 2000
)

// colorsName is the name of the page's file with the colours of package draw.
const colorsName = "colors.json"

// colorsJSON returns the content of that file: for each palette, colours at equal
// steps, and the colours of lines, light and dark.
func colorsJSON() ([]byte, error) {
	const steps = 16 // the same number as in package draw
	palettes := map[string][]string{}
	for _, p := range draw.Palettes {
		for i := range steps {
			palettes[p.Name] = append(palettes[p.Name], hexOf(p.At(float64(i)/(steps-1))))
		}
	}
	series := map[string][]string{}
	for name, theme := range map[string]*draw.Theme{"light": draw.Light, "dark": draw.Dark} {
		for _, c := range theme.Series {
			series[name] = append(series[name], "#"+hexOf(c))
		}
	}
	return json.Marshal(map[string]any{"palettes": palettes, "series": series})
}

func hexOf(c color.RGBA) string { return fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B) }

func paletteNames() string {
	var all []string
	for _, p := range draw.Palettes {
		all = append(all, p.Name)
	}
	return strings.Join(all, ", ")
}

// isPicture reports whether the answer is a picture.
func (q *query) isPicture() bool { return q.format == "png" || q.format == "svg" }

// isChart reports whether the answer is a picture with axes.
func (q *query) isChart() bool { return q.isPicture() && q.width > 0 }

func (a *answer) checkPicture() error {
	shape := a.shape()
	if len(shape) != 1 && len(shape) != 2 {
		return badf("a picture requires a window of one or two dimensions; this one has shape %v", shape)
	}
	for _, n := range shape {
		if n == 0 {
			return badf("a picture of shape %v is empty", shape)
		}
		if n > maxSide && !a.isChart() {
			return statusf(http.StatusRequestEntityTooLarge, "a picture of shape %v: each side can have %d pixels; ask for a stride, or for a chart by size", shape, maxSide)
		}
	}
	if a.inner != nil {
		return badf("a field that is an array cannot be drawn")
	}
	return nil
}

// pictureMemory returns the bytes that a picture takes: cells, a sorted copy of
// their means, and colours.
func (q *query) pictureMemory() int64 {
	pixels := q.items()
	if q.isChart() {
		pixels = int64(q.width) * int64(q.height)
	}
	return mul(pixels, 36)
}

// writePicture draws the window: with a pixel for each item, or as a chart.
func (a *answer) writePicture() error {
	if a.isChart() {
		return a.writeChart()
	}
	shape := a.shape()
	rows, cols := int64(1), shape[len(shape)-1]
	if len(shape) == 2 {
		rows = shape[0]
	}
	h := &draw.Heat{Options: draw.Options{Theme: a.theme}, Palette: a.palette, Log: a.log}
	h.Grid = draw.NewGrid(rows, cols, int(cols), int(rows), a.log)
	if err := a.numbers(h.Add); err != nil {
		return err
	}
	a.colours(h)
	return png.Encode(a, h.Bitmap(h.Values()))
}

// colours sets the ends of the colour scale to percentiles of the numbers.
func (a *answer) colours(h *draw.Heat) {
	h.Lo, _, _ = h.Range(a.stretch[0] / 100)
	_, h.Hi, _ = h.Range(1 - a.stretch[1]/100)
	if h.Lo > h.Hi {
		h.Lo, h.Hi = 0, 0
	}
}

// numbers calls add with each number of the window, as it is drawn.
func (a *answer) numbers(add func(float64)) error {
	if days := item.Days(a.field); days != nil {
		plain := add
		add = func(v float64) { plain(days(v)) }
	}
	var values []float64
	return a.each(a.r.Context(), a.plan, func(b []byte) error {
		values = a.conv(values[:0], b)
		for _, v := range values {
			add(v)
		}
		return nil
	})
}

// writeChart writes a line or an image with axes, as the command's plot draws it.
func (a *answer) writeChart() error {
	s, err := a.chart()
	if err != nil {
		return err
	}
	if a.format == "svg" {
		return s.WriteSVG(a)
	}
	return png.Encode(a, raster.Paint(s))
}

func (a *answer) chart() (*draw.Scene, error) {
	o := draw.Options{Width: a.width, Height: a.height, Theme: a.theme, Title: item.Printable(path.Base(a.r.PathValue("path")))}
	if w := a.text.Get("window"); w != "" {
		o.Title += " [" + abridged(w) + "]"
	}
	o.Note = a.field.String()
	if f := a.text.Get("field"); f != "" {
		o.Note = f + ", " + o.Note
	}
	axes := a.axes()
	label := item.Printable(names.Quantity(a.said, a.field))
	if len(axes) == 1 {
		line := draw.NewEnvelope(axes[0].N, a.width, a.log)
		c := draw.Lines{Options: o, X: axes[0], YLabel: label, Seconds: item.Seconds(a.field), Log: a.log, Lines: []*draw.Envelope{line}}
		err := a.numbers(line.Add)
		return c.Scene(), err
	}
	h := draw.NewHeat(draw.Heat{Options: o, Y: axes[0], X: axes[1], Label: label, Seconds: item.Seconds(a.field), Log: a.log, Palette: a.palette, Absolute: true})
	if err := a.numbers(h.Add); err != nil {
		return nil, err
	}
	a.colours(h)
	return h.Scene(), nil
}

// axes returns the dimensions of the window that are not selected by an index.
func (q *query) axes() (axes []draw.Axis) {
	named := names.Dimensions(q.said, len(q.window))
	for d, s := range q.window {
		if s.Drop {
			continue
		}
		axes = append(axes, draw.Axis{Label: dimension(named, d, len(q.window)), Start: s.Start, Step: max(s.Step, 1), N: s.Len()})
	}
	return axes
}

// dimension returns the name of dimension d of n.
func dimension(named []string, d, n int) string {
	switch {
	case d < len(named) && named[d] != "":
		return item.Printable(named[d])
	case n == 1:
		return "item"
	}
	return fmt.Sprintf("dimension %d", d)
}
