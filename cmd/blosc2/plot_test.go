package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// png FILE COLORS [SIZE [CORNER]]: a picture of that size, or one that fits on a screen,
// of that colour in its corner, or white, in at least that many colours.
func isPNG(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 4 {
		ts.Fatalf("usage: png FILE COLORS [SIZE [CORNER]]")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	f, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	m, err := png.Decode(f)
	ts.Check(err)
	b := m.Bounds()
	if size := fmt.Sprintf("%dx%d", b.Dx(), b.Dy()); len(args) > 2 && args[2] != size {
		ts.Fatalf("%s pixels, want %s", size, args[2])
	}
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
	corner := "ffffff"
	if len(args) > 3 {
		corner = args[3]
	}
	if c := m.At(0, 0).(color.RGBA); fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B) != corner {
		ts.Fatalf("the corner is %v, want %s", c, corner)
	}
}

// Rows are skipped in an image of very many items.
func TestThinned(t *testing.T) {
	for _, c := range []struct {
		window string
		shape  []int64
		want   int64
	}{
		{"", []int64{1 << 40}, 1}, // no items of a line are skipped, which could be its peaks
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

// The terminal's answer determines how pictures are shown.
func TestUnderstood(t *testing.T) {
	for answer, want := range map[string]string{
		"":                                      "blocks",
		"\x1b[?62;22c":                          "blocks",
		"\x1b[?62;4;22c":                        "sixel",
		"\x1b[?4c":                              "sixel",
		"\x1b_Gi=31;OK\x1b\\\x1b[?62;4c":        "kitty",
		"\x1b_Gi=31;ENOTSUPP\x1b\\\x1b[?62;14c": "blocks",
		"\x1b[?1;2":                             "blocks",
	} {
		if got := understood(answer); got != want {
			t.Errorf("%q: %s, want %s", answer, got, want)
		}
	}
}

// Large pictures are sent to kitty in parts. All parts except the last announce another
// one.
func TestKitty(t *testing.T) {
	png := bytes.Repeat([]byte{1, 2, 3}, 3000)
	var b bytes.Buffer
	kitty(&b, png)
	var data string
	parts := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\x1b\\")
	for i, p := range parts[:len(parts)-1] {
		control, part, _ := strings.Cut(strings.TrimPrefix(p, "\x1b_G"), ";")
		if more := strings.HasSuffix(control, "m=1"); more != (i < len(parts)-2) || len(part) > 4096 {
			t.Errorf("part %d: %s, %d bytes", i, control, len(part))
		}
		data += part
	}
	if got, err := base64.StdEncoding.DecodeString(data); err != nil || !bytes.Equal(got, png) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
