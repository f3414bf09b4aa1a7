package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/cells"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/draw"
	"github.com/seed03b80dae/blosc2/meta"
)

// A figure is a chart of numbers that have been read.
type figure interface {
	Scene() *draw.Scene  // draws for a file, or for a terminal that shows pictures
	Cells(g *cells.Grid) // draws for any other terminal; g has the size in look
}

// A look describes how numbers are drawn.
type look struct {
	draw.Options
	lines, hist, chunks, log bool
	palette                  string
	stretch, low, high       float64
	exact                    bool        // the size is exact, even if the image needs less
	grid                     *cells.Grid // the grid of a terminal that shows only characters, or nil
}

func (l *look) setStretch(s string) error {
	p, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !(p >= 0 && p < 50) {
		return errors.New("must be a number from 0 to 50")
	}
	l.stretch = p / 100
	return nil
}

func (l *look) setRange(s string) error {
	a, b, _ := strings.Cut(s, ":")
	low, errA := strconv.ParseFloat(a, 64)
	high, errB := strconv.ParseFloat(b, 64)
	if errA != nil || errB != nil || !(low < high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return errors.New("must be LOW:HIGH, with LOW below HIGH")
	}
	l.low, l.high = low, high
	return nil
}

// columns returns the number of pixel columns of a chart.
func (l *look) columns() int {
	switch {
	case l.grid != nil:
		return cells.LineColumns(l.grid.W)
	case l.Width > 0:
		return l.Width
	}
	return draw.DefaultWidth
}

// heat returns an image of the look's size.
func (l *look) heat(h draw.Heat) *draw.Heat {
	l.prepare(&h)
	if l.grid == nil {
		return draw.NewHeat(h)
	}
	w, high := cells.HeatSize(l.grid.W, l.grid.H, h.X.N, h.Y.N, l.grid.Colors)
	h.Grid = draw.NewGrid(h.Y.N, h.X.N, w, high, h.Log)
	return &h
}

func (l *look) prepare(h *draw.Heat) {
	h.Options, h.Log, h.Stretch, h.Lo, h.Hi, h.Absolute = l.Options, l.log, l.stretch, l.low, l.high, l.exact
	h.Palette = draw.Palettes[0]
	if p, ok := draw.PaletteNamed(l.palette); ok {
		h.Palette = p
	}
}

// These are the implementations of figure, one for each kind of chart.
type (
	lineFigure struct{ *draw.Lines }
	heatFigure struct{ *draw.Heat }
	barFigure  struct{ *draw.Bars }
)

func (f lineFigure) Cells(g *cells.Grid) { cells.Lines(g, f.Lines) }
func (f heatFigure) Cells(g *cells.Grid) { cells.Heat(g, f.Heat) }
func (f barFigure) Cells(g *cells.Grid)  { cells.Bars(g, f.Bars) }

// figure reads a window and draws it: one dimension as a line, two as an image.
// read is called with the numbers of bytes read; its error ends the reading.
func (l *look) figure(v *view, w *selection, read func(n int) error) (figure, error) {
	if w.inner != nil {
		return nil, misusef("%s: a field of shape %v cannot be drawn", publicName(v.name), w.inner)
	}
	value, err := valueOf(w.dtype)
	if err != nil {
		return nil, withName(v.name, err)
	}
	if l.Note == "" {
		l.Note = w.dtype.String() + ", " + times(w.Shape())
		if shape := w.Shape(); len(shape) == 1 {
			l.Note = w.dtype.String() + ", " + count(shape[0], "item")
		}
	}
	if l.hist {
		f, err := l.histogram(v, w, value, read)
		return f, withName(v.name, err)
	}
	axes, err := v.axes(w)
	if err != nil {
		return nil, err
	}
	var f figure
	var add func(float64)
	switch {
	case len(axes) == 2 && l.lines:
		f, add, err = l.columnLines(v, w, axes)
	case len(axes) == 2:
		f, add = l.image(v, w, axes)
	case len(axes) == 1:
		f, add = l.line(v, w, axes[0])
	default:
		err = tooDeep(axes)
	}
	if err != nil {
		return nil, err
	}
	return f, withName(v.name, v.numbers(w, value, read, add))
}

// tooDeep returns the error for a window with too many dimensions, or none. A short last
// dimension is often that of the colours of a picture.
func tooDeep(axes []draw.Axis) error {
	example := "0,:,:"
	if n := len(axes); n == 3 && (axes[2].N == 3 || axes[2].N == 4) {
		example = fmt.Sprintf("...,0 for the first of %d colours, or --hist for all", axes[2].N)
	}
	return misusef("a window of %d dimensions cannot be drawn; it must have one or two, as in %s", len(axes), example)
}

// numbers calls add with each item of a window.
func (v *view) numbers(w *selection, value func([]byte) float64, read func(n int) error, add func(float64)) error {
	size := w.dtype.Size
	return v.pieces(w, func(b []byte) error {
		if err := read(len(b)); err != nil {
			return err
		}
		for ; len(b) >= size; b = b[size:] {
			add(value(b[:size:size]))
		}
		return nil
	})
}

// axes returns the dimensions of a window that are not selected by an index.
func (v *view) axes(sel *selection) (axes []draw.Axis, err error) {
	names := v.dimensions()
	for d, s := range sel.Window {
		if s.Len() == 0 {
			return nil, misusef("%s: the window is empty", publicName(v.name))
		}
		if s.Drop {
			continue
		}
		axis := draw.Axis{Label: fmt.Sprintf("dimension %d", d), Start: s.Start, Step: s.Step, N: s.Len()}
		if len(sel.Window) == 1 {
			axis.Label = "item"
		}
		if d < len(names) && names[d] != "" {
			axis.Label = names[d]
		}
		if sel.backward[d] {
			axis.Start, axis.Step = s.Start+(s.Len()-1)*s.Step, -s.Step
		}
		axes = append(axes, axis)
	}
	return axes, nil
}

func (l *look) line(v *view, w *selection, x draw.Axis) (figure, func(float64)) {
	c := &draw.Lines{Options: l.Options, X: x, YLabel: v.label(w.dtype), Seconds: item.Seconds(w.dtype), Log: l.log}
	line := draw.NewEnvelope(x.N, l.columns(), l.log)
	c.Lines = []*draw.Envelope{line}
	return lineFigure{c}, line.Add
}

// mostLines is the largest number of lines of a chart: the number of colours.
var mostLines = int64(len(draw.Light.Series))

// columnLines draws each column of a table as a line.
func (l *look) columnLines(v *view, w *selection, axes []draw.Axis) (figure, func(float64), error) {
	y, x := axes[1], axes[0]
	if y.N > mostLines {
		return nil, nil, misusef("--lines: %d columns, at most %d can be distinguished; a window such as :,0:%d selects some", y.N, mostLines, mostLines)
	}
	c := &draw.Lines{Options: l.Options, X: x, YLabel: v.label(w.dtype), Seconds: item.Seconds(w.dtype), Log: l.log}
	for i := range y.N {
		line := draw.NewEnvelope(x.N, l.columns(), l.log)
		line.Name = fmt.Sprintf("%s: %d", y.Label, y.Start+i*y.Step)
		c.Lines = append(c.Lines, line)
	}
	k := int64(0)
	return lineFigure{c}, func(v float64) {
		c.Lines[k].Add(v)
		k = (k + 1) % y.N
	}, nil
}

func (l *look) image(v *view, w *selection, axes []draw.Axis) (figure, func(float64)) {
	if thin := thinned(w.Window); thin > 1 {
		l.Note += fmt.Sprintf(", one row of %d", thin)
		span := &w.Window[firstOpen(w.Window)]
		span.Step *= thin
		axes[0].Step, axes[0].N = axes[0].Step*thin, span.Len()
	}
	c := l.heat(draw.Heat{Y: axes[0], X: axes[1], Label: v.label(w.dtype), Seconds: item.Seconds(w.dtype)})
	return heatFigure{c}, c.Add
}

// histogram draws a histogram. It reads the window twice, the first time to find the
// range of the numbers.
func (l *look) histogram(v *view, w *selection, value func([]byte) float64, read func(n int) error) (figure, error) {
	lo, hi := math.Inf(1), math.Inf(-1)
	err := v.numbers(w, value, func(int) error { return read(0) }, func(v float64) {
		if !math.IsInf(v, 0) && v == v {
			lo, hi = min(lo, v), max(hi, v)
		}
	})
	if err != nil {
		return nil, err
	}
	if l.low != l.high {
		lo, hi = l.low, l.high
	}
	whole := w.dtype.Kind == meta.Int || w.dtype.Kind == meta.Uint || w.dtype.Kind == meta.Bool
	c := &draw.Bars{Options: l.Options, Label: v.label(w.dtype), Seconds: item.Seconds(w.dtype), Log: l.log}
	c.Histogram = draw.NewHistogram(lo, hi, max(l.columns()/8, 10), false, whole)
	return barFigure{c}, v.numbers(w, value, read, c.Add)
}

// decodedOf returns a function that returns the bytes of the items in a chunk, without
// the padding at the edges of an array.
func decodedOf(f *frame.Reader) (func(chunk int64) (int64, error), error) {
	if !isArray(f.Metalayers()) {
		return func(chunk int64) (int64, error) {
			start, end, err := f.Extent(chunk)
			return end - start, err
		}, nil
	}
	a, err := b2nd.FromFrame(f)
	if err != nil {
		return nil, err
	}
	shape, sides := a.Shape(), a.ChunkShape()
	return func(chunk int64) (int64, error) {
		n := int64(a.ItemSize())
		for d := len(shape) - 1; d >= 0; d-- {
			side := max(sides[d], 1)
			count := max((shape[d]+side-1)/side, 1)
			n *= max(min(side, shape[d]-chunk%count*side), 0)
			chunk /= count
		}
		return n, nil
	}, nil
}

// chunkSizes returns the number of chunks of a frame or a Zarr array. It also returns a
// function that returns the decoded and the stored size of a chunk in bytes. The stored
// size is 0 if the chunk is not stored.
func (v *view) chunkSizes() (n int64, sizes func(chunk int64) (whole, stored int64, err error), err error) {
	if v.zarr != nil {
		all, err := v.zarr.StoredSizes(context.Background())
		return int64(len(all)), func(i int64) (int64, int64, error) { return v.zarr.Decoded(i), all[i], nil }, err
	}
	if v.frame == nil {
		return 0, nil, errors.New("is neither a frame nor a Zarr array; --chunks draws how well their chunks are compressed")
	}
	decoded, err := decodedOf(v.frame)
	return v.frame.NumChunks(), func(i int64) (int64, int64, error) {
		whole, err := decoded(i)
		return whole, v.frame.StoredLen(i), err
	}, err
}

// chunkMap draws the ratio of each chunk.
func (l *look) chunkMap(v *view) (figure, error) {
	n, sizes, err := v.chunkSizes()
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, errors.New("has no chunks")
	}
	ratios := make([]float64, n)
	var bytes, stored int64
	lo, hi := math.Inf(1), 0.0
	for i := range n {
		whole, size, err := sizes(i)
		if err != nil {
			return nil, err
		}
		bytes, stored = bytes+whole, stored+size
		ratios[i] = math.NaN()
		if size > 0 {
			ratios[i] = float64(whole) / float64(size)
			lo, hi = min(lo, ratios[i]), max(hi, ratios[i])
		}
	}
	l.Note = count(n, "chunk")
	if hi > 0 {
		l.Note += fmt.Sprintf(", ratio %.4g to %.4g, %.4g of all", lo, hi, float64(bytes)/float64(max(stored, 1)))
	}
	l.log = l.log || hi > 20*lo
	h := draw.Heat{Label: "ratio", MissingWords: "stored as one value"}
	if v.zarr != nil {
		h.MissingWords = "not stored"
	}
	l.prepare(&h)
	var m *draw.Heat
	if m = draw.NewChunkMap(h, n, v.chunksPerRow); l.grid != nil {
		m = l.heat(draw.Heat{X: m.X, Y: m.Y, Label: m.Label})
	}
	for _, r := range ratios {
		m.Add(r)
	}
	return heatFigure{m}, nil
}
