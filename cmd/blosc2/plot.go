package main

import (
	"fmt"
	"image"
	"image/png"
	"math"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/plot"
	"github.com/seed03b80dae/blosc2/meta"
)

// plotCmd is "blosc2 plot".
type plotCmd struct {
	outFlags
	DType  string
	File   string
	Window string
}

func (c *plotCmd) define(g *grammar) {
	c.outFlags.define(g)
	g.StringVar(&c.DType, "dtype", "", dtypeHelp)
	g.argument(&c.File, "FILE", viewHelp)
	g.optional(&c.Window, "WINDOW", windowHelp+"; must leave one or two dimensions.")
}

// Run draws a window as a PNG file.
func (c *plotCmd) Run(e *env) error {
	v, err := e.openView(c.File, c.DType)
	if err != nil {
		return err
	}
	defer v.Close()
	w, err := v.window(c.Window)
	if err != nil {
		return err
	}
	if w.inner != nil {
		return misusef("a field of shape %v cannot be drawn", w.inner)
	}
	value, err := valueOf(w.dtype)
	if err != nil {
		return about(c.File, err)
	}
	figure := plot.Figure{Title: title(c.File, c.Window), Note: w.dtype.String(), Seconds: unitSeconds(w.dtype)}
	if thin := thinned(w.Window); thin > 1 {
		figure.Note += fmt.Sprintf(", one row of %d", thin)
		w.Window[firstOpen(w.Window)].Step *= thin
	}
	picture, err := newPicture(w)
	if err != nil {
		return err
	}
	name := c.Out
	if name == "" {
		name = "-"
	}
	if ext := strings.ToLower(filepath.Ext(name)); ext != "" && ext != ".png" && !strings.HasPrefix(name, "/dev/") {
		return misusef("-o %s: the suffix must be .png", name)
	}
	out, err := e.create(name, c.outFlags)
	if err != nil {
		return err
	}
	size := w.dtype.Size
	bar, done := e.newBar(c.File, w.bytes()), int64(0)
	defer bar.end()
	err = v.pieces(w, func(b []byte) error {
		done += int64(len(b))
		bar.add(done)
		for ; len(b) > 0; b = b[size:] {
			picture.Add(value(b[:size]))
		}
		return nil
	})
	bar.end()
	if err == nil {
		err = png.Encode(out.File, picture.Draw(figure))
	}
	if err != nil {
		return e.abandon(out, c.File, 0, err)
	}
	if err := e.commit(out); err != nil {
		return err
	}
	if name != "-" {
		e.note("%s: %s of %s drawn in %s", c.File, times(w.Shape()), w.dtype, name)
	}
	return nil
}

// A picture draws the items of a window.
type picture interface {
	Add(v float64)
	Draw(plot.Figure) image.Image
}

// newPicture returns a line for a window of one dimension, and an image for two.
func newPicture(sel *selection) (picture, error) {
	var axes []plot.Axis
	w := sel.Window
	for d, s := range w {
		if s.Len() == 0 {
			return nil, misusef("the window is empty")
		}
		if !s.Drop {
			axis := plot.Axis{Name: fmt.Sprintf("dimension %d", d), Start: s.Start, Step: s.Step, N: s.Len()}
			if sel.backward[d] {
				axis.Start, axis.Step = s.Start+(s.Len()-1)*s.Step, -s.Step
			}
			axes = append(axes, axis)
		}
	}
	switch len(axes) {
	case 1:
		if len(w) == 1 {
			axes[0].Name = "item"
		}
		return plot.NewLine(axes[0]), nil
	case 2:
		return plot.NewImage(axes[0], axes[1]), nil
	}
	return nil, misusef("a window of %d dimensions cannot be drawn; it must have one or two, as in 0,:,:", len(axes))
}

// plotItems is the largest number of items read for an image; beyond that, rows are
// skipped.
const plotItems = 1 << 30

// thinned returns n if every n-th row of an image is read.
func thinned(w b2nd.Window) int64 {
	items := 1.0
	for _, s := range w {
		items *= float64(s.Len())
	}
	if len(w.Shape()) != 2 || items <= plotItems {
		return 1
	}
	return int64(math.Ceil(items / plotItems))
}

// firstOpen returns the first dimension of the window with more than an index.
func firstOpen(w b2nd.Window) int {
	d := 0
	for w[d].Drop {
		d++
	}
	return d
}

// valueOf returns the function that converts an item to a number, a complex one to
// its magnitude.
func valueOf(d meta.DType) (func(b []byte) float64, error) {
	if d.Kind == meta.Complex {
		half := d.Size / 2
		if _, ok := real64(d, make([]byte, half)); ok {
			return func(b []byte) float64 {
				re, _ := real64(d, b[:half])
				im, _ := real64(d, b[half:])
				return math.Hypot(re, im)
			}, nil
		}
	}
	if _, ok := number(d, make([]byte, d.Size)); ok {
		return func(b []byte) float64 { f, _ := number(d, b); return f }, nil
	}
	return nil, fmt.Errorf("items of type %v are not numbers; --dtype sets another type", d)
}

// unitSeconds returns the length of a date's unit in seconds, 0 if the type is not
// a date or its unit has no fixed length.
func unitSeconds(d meta.DType) float64 {
	if d.Kind != meta.DateTime {
		return 0
	}
	return map[string]float64{"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "D": 86400, "W": 7 * 86400}[d.Unit]
}

// title returns the title of the picture.
func title(file, window string) string {
	t := filepath.Base(file)
	if window = strings.TrimSpace(window); window != "" {
		t += " [" + strings.ReplaceAll(window, ",", ", ") + "]"
	}
	return t
}
