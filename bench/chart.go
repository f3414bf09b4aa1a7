package main

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// charted are the contestants of the chart, each with its colour and the
// settings that are drawn.
var charted = []struct {
	name, label, colour string
	settings            []string
}{
	{ourName, "this library", "#0b7a75", []string{"lz4 5 bitshuffle", "lz4 5 shuffle", "lz4hc 5 shuffle", "zstd 1 shuffle", "zstd 3 shuffle", "zstd 5 shuffle"}},
	{"klauspost zstd", "zstd (klauspost)", "#c8553d", []string{"fastest", "default", "better"}},
	{"klauspost s2", "s2 (klauspost)", "#7768ae", []string{"default", "better", "best"}},
	{"pierrec lz4", "lz4 (pierrec)", "#d69f2b", []string{"Fast", "Level5"}},
	{"pgzip", "gzip (pgzip)", "#6b7280", []string{"1", "5"}},
}

// A panel of the chart has this size, in pixels.
const (
	panelWidth, panelHeight = 330, 250
	panelLeft, panelTop     = 46, 52
)

// chart draws ratio against speed, of streams with two workers, to compress and
// to decompress, as geometric means over the files.
func chart(t rows) string {
	var b strings.Builder
	width, height := 2*(panelWidth+panelLeft)+30, panelTop+panelHeight+44
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	x := 46
	for _, c := range charted {
		fmt.Fprintf(&b, `<circle cx="%d" cy="14" r="5" fill="%s"/><text x="%d" y="18">%s</text>`+"\n", x, c.colour, x+9, html.EscapeString(c.label))
		x += 30 + 7*len(c.label)
	}
	panel(&b, t, panelLeft, "compress", 5)
	panel(&b, t, 2*panelLeft+panelWidth+20, "decompress", 6)
	b.WriteString("</svg>\n")
	return b.String()
}

// panel draws one direction, whose speed is in a column of the table.
func panel(b *strings.Builder, t rows, left int, title string, column int) {
	const slowest, fastest, least, most = 20.0, 12000.0, 1.0, 4.0
	px := func(speed float64) float64 {
		return float64(left) + panelWidth*math.Log(speed/slowest)/math.Log(fastest/slowest)
	}
	py := func(ratio float64) float64 {
		return panelTop + panelHeight*(1-(ratio-least)/(most-least))
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" font-size="13" font-weight="bold">%s</text>`+"\n", left, panelTop-12, title)
	for _, speed := range []float64{100, 1000, 10000} {
		fmt.Fprintf(b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#e5e7eb"/><text x="%.1f" y="%d" text-anchor="middle" fill="#555">%.0f</text>`+"\n",
			px(speed), panelTop, px(speed), panelTop+panelHeight, px(speed), panelTop+panelHeight+15, speed)
	}
	for ratio := least; ratio <= most; ratio += 0.5 {
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#e5e7eb"/><text x="%d" y="%.1f" text-anchor="end" fill="#555">%.1f</text>`+"\n",
			left, py(ratio), left+panelWidth, py(ratio), left-5, py(ratio)+4, ratio)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" fill="#555">MB/s, two workers; up is smaller, right is faster</text>`+"\n", left+panelWidth/2, panelTop+panelHeight+32)
	for _, c := range charted {
		for _, setting := range c.settings {
			var speed, ratio []float64
			for _, r := range t {
				if r[1] == c.name && r[2] == setting && r[3] == "2" {
					ratio, speed = append(ratio, number(r[4])), append(speed, number(r[column]))
				}
			}
			if len(speed) == 0 || slices.ContainsFunc(speed, math.IsNaN) {
				continue
			}
			x, y := px(geomean(speed)), py(geomean(ratio))
			text, at, anchor := html.EscapeString(strings.TrimSuffix(setting, " shuffle")), x+6, "start"
			if x > float64(left)+0.8*panelWidth { // no room to the right
				at, anchor = x-6, "end"
			}
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/><text x="%.1f" y="%.1f" font-size="9" text-anchor="%s" fill="%s">%s</text>`+"\n",
				x, y, c.colour, at, y+3, anchor, c.colour, text)
		}
	}
}
