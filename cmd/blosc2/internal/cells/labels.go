package cells

import (
	"image/color"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/internal/draw"
)

// title writes the title and, to its right, the note.
func (g *Grid) title(o draw.Options) {
	g.Text(0, 0, g.W, o.Title, color.RGBA{}, true)
	if x := utf8.RuneCountInString(o.Title) + 2; x < g.W {
		g.Text(x, 0, g.W-x, o.Note, grey, false)
	}
}

// verticalLabels writes the labels of the vertical axis. place returns the position of a
// number, from 0 at the bottom to 1 at the top.
func (g *Grid) verticalLabels(p *plane, ticks draw.Ticks, place func(float64) float64, note bool) {
	last := -1
	for _, t := range ticks.List {
		y := p.y + min(max(int((1-place(t.At))*float64(p.h)), 0), p.h-1)
		if y == last {
			continue
		}
		last = y
		text := label(t)
		n := min(utf8.RuneCountInString(text), left-1)
		g.Text(left-1-n, y, n, text, grey, false)
	}
	if note && ticks.Note() != "" {
		g.Text(0, p.y+p.h, left-1, ticks.Note(), grey, false)
	}
}

func label(t draw.Tick) string { return join(t.Sub, t.Label) }

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// horizontalLabels writes the labels and the name of the horizontal axis.
func (g *Grid) horizontalLabels(p *plane, s draw.Scale, place func(float64) float64, name string) {
	ticks := s.Ticks(max(p.w/12, 4))
	end := -1
	list := ticks.List
	for i := range list {
		t := list[i]
		if place(list[0].At) > place(list[len(list)-1].At) {
			t = list[len(list)-1-i]
		}
		n := utf8.RuneCountInString(t.Label)
		x := min(max(p.x+int(place(t.At)*float64(p.w))-n/2, p.x-1), g.W-n)
		if x <= end {
			continue
		}
		g.Text(x, p.y+p.h, n, t.Label, grey, false)
		if end = x + n + 1; t.Sub != "" {
			g.Text(x, p.y+p.h+1, g.W-x, t.Sub, grey, false)
		}
	}
	name = join(name, ticks.Note())
	row := p.y + p.h + 1
	if s.Seconds > 0 {
		row++
	}
	g.Text(p.x+max((p.w-utf8.RuneCountInString(name))/2, 0), row, g.W-p.x, name, grey, false)
}
