package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/cells"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/draw"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// figureOf draws a window of a file, with a look that has no size.
func figureOf(t *testing.T, l *look, name, window string) figure {
	t.Helper()
	v, err := (&env{}).openView(name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	w, err := v.window(window)
	if err != nil {
		t.Fatal(err)
	}
	f, err := l.figure(v, w, func(int) error { return nil })
	if l.chunks {
		f, err = l.chunkMap(v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// texts returns the texts of a figure, one per line.
func texts(f figure) string {
	var all []string
	for _, shape := range f.Scene().Shapes {
		if text, ok := shape.(*draw.Text); ok {
			all = append(all, text.S)
		}
	}
	return "\n" + strings.Join(all, "\n") + "\n"
}

// named writes an array of 3 by 4 int16 with the metadata of names and units.
func named(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "named.b2nd")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	spec, err := b2nd.SpecOf[int16](3, 4)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b2nd.NewWriter(f, spec)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort(nil)
	_, err = b2nd.WriteSlice(w, []int16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	err = errors.Join(err, w.SetVLMetaValue("long_name", "temperature"), w.SetVLMetaValue("units", "K"),
		w.SetVLMetaValue("_ARRAY_DIMENSIONS", []string{"height", "time\x1b"}), w.Close())
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// The names of axes and colours are from the metadata. Control characters in them are
// escaped.
func TestFigureNames(t *testing.T) {
	name := named(t)
	for _, c := range []struct {
		look   look
		window string
		want   []string
	}{
		{look{}, "", []string{"temperature (K)", "height", `time\x1b`, "<i2, 3 × 4"}},
		{look{}, "1", []string{"temperature (K)", `time\x1b`, "<i2, 4 items"}},
		{look{lines: true}, "", []string{"temperature (K)", "height", `time\x1b: 3`}},
		{look{hist: true}, "", []string{"temperature (K)", "numbers in a bin", "11"}},
		{look{chunks: true}, "", []string{"ratio", "chunk"}},
	} {
		got := texts(figureOf(t, &c.look, name, c.window))
		for _, text := range c.want {
			if !strings.Contains(got, "\n"+text+"\n") {
				t.Errorf("%+v %q: no %q in %s", c.look, c.window, text, got)
			}
		}
	}
}

// Columns that are drawn as lines are read in their order.
func TestFigureLines(t *testing.T) {
	f := figureOf(t, &look{lines: true}, named(t), "::-1,1:3").(lineFigure)
	if len(f.Lines.Lines) != 2 || f.X.Start != 2 || f.X.Step != -1 {
		t.Fatalf("%+v", f.Lines)
	}
	for i, want := range [][]float64{{9, 5, 1}, {10, 6, 2}} {
		var got []float64
		for _, c := range f.Lines.Lines[i].Columns() {
			got = append(got, c.First)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("line %d: %v, want %v", i, got, want)
		}
	}
}

// A histogram counts every item once, and covers the range of the numbers.
func TestFigureHistogram(t *testing.T) {
	f := figureOf(t, &look{hist: true}, cube(t), "").(barFigure)
	if f.N != 5999 || f.Missing != 1 || f.Histogram.Scale.Lo != 0 || f.Histogram.Scale.Hi != 4419 {
		t.Errorf("%d counted, %d missing, %+v", f.N, f.Missing, f.Histogram.Scale)
	}
}

// Chunks of noise and of zeros have different ratios.
func TestFigureChunks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "parts.b2frame")
	w, err := stream.CreateFile(name, stream.TypeSize(1), stream.ChunkSize(64<<10))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort(nil)
	part := make([]byte, 64<<10)
	for i := range 6 {
		x := uint32(i)
		for j := range part {
			x = x*1664525 + 1013904223
			part[j] = byte(x>>24) * byte(i%2)
		}
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := figureOf(t, &look{chunks: true}, name, "").(heatFigure)
	lo, hi, ok := f.Range(0)
	if !ok || math.Abs(lo-1) > 0.1 || hi < 50 || !f.Heat.Log {
		t.Errorf("ratios from %v to %v, %v", lo, hi, ok)
	}
}

// Months and years are drawn at their first days.
func TestFigureDates(t *testing.T) {
	for text, want := range map[string][]float64{"<M8[M]": {0, 59, -31}, "<M8[Y]": {0, 730, -365}} {
		d, err := meta.ParseDType(text)
		if err != nil {
			t.Fatal(err)
		}
		value, err := valueOf(d)
		if err != nil || item.Seconds(d) != 86400 {
			t.Fatal(text, item.Seconds(d), err)
		}
		for i, n := range []int64{0, 2, -1} {
			if got := value(binary.LittleEndian.AppendUint64(nil, uint64(n))); got != want[i] {
				t.Errorf("%s %d is drawn at %v, want %v", text, n, got, want[i])
			}
		}
		for _, n := range []int64{math.MinInt64, math.MaxInt64} {
			if got := value(binary.LittleEndian.AppendUint64(nil, uint64(n))); !math.IsNaN(got) {
				t.Errorf("%s %d is drawn at %v", text, n, got)
			}
		}
	}
}

// The ratio of each chunk of a Zarr array, including chunks at the edges, is computed
// from the size of the chunk's file.
func TestFigureZarr(t *testing.T) {
	name := filepath.Join(b2test.Shared(t), "corpus", "neighbours", "zarr", "v3_zstd_shuffle_109.zarr")
	f := figureOf(t, &look{chunks: true}, name, "").(heatFigure)
	lo, hi := math.Inf(1), 0.0
	for i, whole := range []float64{40 * 50, 40 * 40, 40 * 50, 40 * 40, 20 * 50, 20 * 40} {
		info, err := os.Stat(filepath.Join(name, "c", strconv.Itoa(i/2), strconv.Itoa(i%2)))
		if err != nil {
			t.Fatal(err)
		}
		ratio := 4 * whole / float64(info.Size())
		lo, hi = min(lo, ratio), max(hi, ratio)
	}
	gotLo, gotHi, ok := f.Range(0)
	if !ok || gotLo != lo || gotHi != hi {
		t.Errorf("ratios from %v to %v, want %v to %v", gotLo, gotHi, lo, hi)
	}
}

// The ratio of a chunk at the edge of an array is computed from its items, without
// padding.
func TestFigureEdge(t *testing.T) {
	name := filepath.Join(t.TempDir(), "edge.b2nd")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := b2nd.NewWriter(f, b2nd.Spec{Shape: []int64{150, 110}, DType: "|u1", ChunkShape: []int64{100, 100}})
	if err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 150*110)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	if _, err := w.Write(noise); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	heat := figureOf(t, &look{chunks: true}, name, "").(heatFigure)
	if lo, hi, ok := heat.Range(0); !ok || lo < 0.3 || hi > 1.1 {
		t.Errorf("noise has ratios from %v to %v, %v", lo, hi, ok)
	}
}

// Charts fill grids of any size, in any colours, without writing outside them.
func TestFigureCells(t *testing.T) {
	for _, name := range []string{cube(t), named(t)} {
		for _, colors := range []cells.Colors{cells.None, cells.Indexed, cells.True} {
			for _, size := range [][2]int{{1, 1}, {10, 3}, {30, 8}, {80, 24}, {200, 60}, {20, 90}} {
				for _, l := range []look{{}, {hist: true}, {chunks: true}, {log: true}, {lines: true}} {
					g := cells.NewGrid(size[0], size[1], colors)
					l.grid, l.Theme = g, draw.Light
					window := map[bool]string{true: "", false: "0,:,:5"}[l.hist || filepath.Base(name) == "named.b2nd"]
					figureOf(t, &l, name, window).Cells(g)
					var b strings.Builder
					if _, err := g.WriteTo(&b); err != nil {
						t.Fatal(err)
					}
					if n := strings.Count(b.String(), "\n"); n > size[1] {
						t.Errorf("%d lines in %v", n, size)
					}
					if colors == cells.None && strings.ContainsFunc(b.String(), func(r rune) bool { return r > '~' || r == 0x1b }) {
						t.Errorf("%v: %q", size, b.String())
					}
				}
			}
		}
	}
}
