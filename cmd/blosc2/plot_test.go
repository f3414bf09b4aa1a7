package main

import (
	"image/color"
	"image/png"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// png FILE COLORS: a picture of a size that fits on a screen, mostly white at
// its border, in at least so many colours.
func isPNG(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: png FILE COLORS")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	f, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	m, err := png.Decode(f)
	ts.Check(err)
	b := m.Bounds()
	if b.Dx() < 300 || b.Dx() > 1600 || b.Dy() < 200 || b.Dy() > 1000 {
		ts.Fatalf("%d by %d pixels", b.Dx(), b.Dy())
	}
	colors := map[color.Color]int{}
	for y := range b.Dy() {
		for x := range b.Dx() {
			colors[m.At(x, y)]++
		}
	}
	if len(colors) < want {
		ts.Fatalf("%d colours, want %d or more", len(colors), want)
	}
	if m.At(0, 0) != (color.RGBA{255, 255, 255, 255}) {
		ts.Fatalf("the corner is %v", m.At(0, 0))
	}
}

// An image of very many items skips rows.
func TestThinned(t *testing.T) {
	for _, c := range []struct {
		window string
		shape  []int64
		want   int64
	}{
		{"", []int64{1 << 40}, 1}, // lines must not miss a peak
		{"", []int64{1 << 15, 1 << 15}, 1},
		{"", []int64{1 << 16, 1 << 15}, 2},
		{"3", []int64{5, 1 << 20, 1 << 20}, 1024},
	} {
		w, err := b2nd.ParseWindow(c.window, c.shape)
		if err != nil {
			t.Fatal(err)
		}
		if got := thinned(w); got != c.want {
			t.Errorf("window %q of %v: one row of %d, want %d", c.window, c.shape, got, c.want)
		}
	}
}

func TestTitle(t *testing.T) {
	if got := title("some/where/a.b2nd", "0,:,:5"); !strings.HasPrefix(got, "a.b2nd [0, :, :5]") {
		t.Errorf("title %q", got)
	}
}
