package main

import (
	"encoding/binary"
	"fmt"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/raster"
	"github.com/seed03b80dae/blosc2/internal/draw"
	"github.com/seed03b80dae/blosc2/meta"
)

// plotCmd is "blosc2 plot".
type plotCmd struct {
	outFlags
	look
	checkFlag
	Size   string
	Title  string
	Screen string
	Dark   bool
	DType  string
	File   string
	Window string
}

func (c *plotCmd) define(g *grammar) {
	c.outFlags.define(g)
	g.BoolVar(&c.lines, "lines", false, "Draw a window of two dimensions as lines, one for each column.")
	g.BoolVar(&c.hist, "hist", false, "Draw a histogram of the window.")
	g.BoolVar(&c.chunks, "chunks", false, "Draw how well each chunk of the file is compressed.")
	g.BoolVar(&c.log, "log", false, "Logarithmic scale of the numbers; of the counts in a histogram.")
	g.choice(&c.palette, "palette", "`PALETTE` of an image: viridis (default), magma, inferno, plasma or cividis.", paletteNames()...)
	g.FuncP("stretch", "", "Colours leave out the least and the greatest `PERCENT` of an image.", c.setStretch)
	g.FuncP("range", "", "Colours range over `LOW:HIGH`.", c.setRange)
	g.StringVar(&c.Size, "size", "", "Size as `WIDTHxHEIGHT`, in pixels, or in characters for text; default: 960x600 or less, and on a terminal its size.")
	g.StringVar(&c.Title, "title", "", "`TEXT` of the title; default: the file and the window.")
	g.BoolVar(&c.Dark, "dark", false, "Light on a dark background.")
	g.choice(&c.Screen, "screen", "Show the picture on the terminal with `PROTOCOL` auto, kitty, sixel, blocks or ascii. The last two also work in a pipe. Default without -o: auto on a terminal, otherwise a PNG file.", "auto", "kitty", "sixel", "blocks", "ascii")
	c.checkFlag.define(g)
	g.StringVar(&c.DType, "dtype", "", dtypeHelp)
	g.argument(&c.File, "FILE", viewHelp)
	g.optional(&c.Window, "WINDOW", windowHelp+"; must leave one or two dimensions, except with --hist.")
}

func paletteNames() (names []string) {
	for _, p := range draw.Palettes {
		names = append(names, p.Name)
	}
	return names
}

// check implements checker.
func (c *plotCmd) check(g *grammar) error {
	switch {
	case howMany(c.lines, c.hist, c.chunks) > 1:
		return fmt.Errorf("--lines, --hist and --chunks cannot be combined")
	case c.Out != "" && c.Screen != "":
		return fmt.Errorf("-o and --screen cannot be combined")
	case c.chunks && c.Window != "":
		return fmt.Errorf("--chunks draws all chunks, without a window")
	case g.Changed("range") && g.Changed("stretch"):
		return fmt.Errorf("--range and --stretch cannot be combined")
	}
	if ext := c.suffix(); ext != "" && ext != ".png" && ext != ".svg" && !strings.HasPrefix(c.Out, "/dev/") {
		return fmt.Errorf("-o %s: the suffix must be .png or .svg", c.Out)
	}
	_, _, err := c.size()
	return err
}

func (c *plotCmd) suffix() string { return strings.ToLower(filepath.Ext(c.Out)) }

// size parses --size. It returns 0 for the default.
func (c *plotCmd) size() (w, h int, err error) {
	if c.Size == "" {
		return 0, 0, nil
	}
	const most = 16384
	a, b, ok := strings.Cut(strings.ToLower(c.Size), "x")
	w, errW := strconv.Atoi(a)
	h, errH := strconv.Atoi(b)
	if !ok || errW != nil || errH != nil || w < 16 || h < 8 || w > most || h > most {
		return 0, 0, fmt.Errorf("--size %s: must be WIDTHxHEIGHT, from 16x8 to %dx%d", c.Size, most, most)
	}
	return w, h, nil
}

// Run draws a window as a PNG or SVG file, or on the terminal.
func (c *plotCmd) Run(e *env) error {
	screen, err := c.screen(e)
	if err != nil {
		return err
	}
	v, err := e.openAll(c.File, c.DType, c.options(c.File)...)
	if err != nil {
		return err
	}
	defer v.Close()
	c.Options.Theme = draw.Light
	if c.Dark {
		c.Options.Theme = draw.Dark
	}
	if c.Options.Title = c.Title; c.Title == "" {
		c.Options.Title = title(c.File, c.Window)
	}
	if c.Options.Width, c.Options.Height, err = c.size(); err != nil {
		return err
	}
	c.exact = c.Size != ""
	if screen != nil {
		screen.fit(&c.look)
	}
	f, err := c.chart(e, v)
	if err != nil {
		return err
	}
	if screen != nil {
		return screen.show(f)
	}
	return c.write(e, f)
}

// screen returns the screen that shows the picture, or nil for a file.
func (c *plotCmd) screen(e *env) (*screen, error) {
	switch {
	case c.Screen != "":
		return e.newScreen(c.Screen)
	case c.Out == "" && e.isTerminal(e.stdout) && !c.Force:
		return e.newScreen("auto")
	}
	return nil, nil
}

// chart draws the picture that the flags select.
func (c *plotCmd) chart(e *env, v *view) (figure, error) {
	if c.chunks {
		f, err := c.chunkMap(v)
		return f, withName(c.File, err)
	}
	w, err := v.window(c.Window)
	if err != nil {
		return nil, err
	}
	bar, done := e.newBar(c.File, w.bytes()), int64(0)
	defer bar.end()
	return c.figure(v, w, func(n int) error {
		done += int64(n)
		bar.add(done)
		return nil
	})
}

// write writes the picture to a file or the standard output.
func (c *plotCmd) write(e *env, f figure) error {
	out, err := e.create(c.Out, c.outFlags)
	if err != nil {
		return err
	}
	if c.suffix() == ".svg" {
		err = f.Scene().WriteSVG(out.File)
	} else {
		err = writePNG(out.File, f.Scene())
	}
	if err != nil {
		return e.abandon(out, c.File, 0, err)
	}
	if err := e.commit(out); err != nil {
		return err
	}
	if out.name != "-" {
		e.note("%s: drawn in %s", c.File, out.name)
	}
	return nil
}

func writePNG(w io.Writer, s *draw.Scene) error { return png.Encode(w, raster.Paint(s)) }

// plotItems is the largest number of items that are read for an image. Of an image with
// more items, rows are skipped.
const plotItems = 1 << 30

// thinned returns n if an image needs only every n-th row, so that at most plotItems
// items are read.
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

// firstOpen returns the first dimension of the window that is not selected by an index.
func firstOpen(w b2nd.Window) int {
	d := 0
	for w[d].Drop {
		d++
	}
	return d
}

// valueOf returns the function that converts an item to a number to be drawn: a
// complex one to its magnitude, months and years to days.
func valueOf(d meta.DType) (func(b []byte) float64, error) {
	if days := item.Days(d); days != nil {
		return func(b []byte) float64 { f, _ := number(d, b); return days(f) }, nil
	}
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
	// These are faster than the general function below.
	if d.Order != '>' && d.Kind == meta.Float && d.Size == 4 {
		return func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }, nil
	}
	if d.Order != '>' && d.Kind == meta.Float && d.Size == 8 {
		return func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }, nil
	}
	if _, ok := number(d, make([]byte, d.Size)); ok {
		return func(b []byte) float64 { f, _ := number(d, b); return f }, nil
	}
	if d.Kind == meta.Struct && len(d.Fields) > 0 {
		return nil, fmt.Errorf("items are records, not numbers; plot draws one field, such as the window '[%q]', of %s", numeric(d), join(fieldNames(d)))
	}
	return nil, fmt.Errorf("items of type %v are not numbers; --dtype sets another type", d)
}

// numeric returns the name of the first field of numbers in a record, or of the first
// field if there is none.
func numeric(d meta.DType) string {
	for _, f := range d.Fields {
		if _, err := valueOf(f.Type); err == nil {
			return f.Name
		}
	}
	return d.Fields[0].Name
}

// title returns the title of the picture.
func title(file, window string) string {
	t := shown(filepath.Base(file))
	if window = strings.TrimSpace(window); window != "" {
		t += " [" + strings.ReplaceAll(window, ",", ", ") + "]"
	}
	return t
}
