//go:build !wasip1

package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/internal/draw"
)

func (p *arrayPage) press(t *viewer, key string) {
	switch key {
	case "t":
		p.mode = showTable
	case "l":
		p.mode = showLine
	case "i":
		p.mode = showImage
	case "H":
		p.mode = showHist
	case "c":
		p.mode = showChunks
	case "L":
		p.log = !p.log
	case "p":
		p.palette = (p.palette + 1) % len(draw.Palettes)
	case "left", "right":
		p.sideways(key == "right", int64(max(t.count, 1)))
	case "+", "=", "-":
		p.zoom(key != "-")
	case "[", "]":
		p.step(key == "]", int64(max(t.count, 1)))
	case "{", "}":
		p.choose(key == "}")
	case ":":
		t.prompt = &prompt{kind: ":"}
	default:
		if d := p.rowDim(); d >= 0 {
			if to, ok := t.moved(key, p.at[d], p.height(), p.rows); ok {
				if p.mode == showTable && (key == "G" || key == ">") && t.count == 0 {
					to = max(0, p.height()-p.rows)
				}
				p.at[d] = to
			}
		}
	}
}

// sideways moves by columns. Along a line it moves by a quarter of the part that is
// shown.
func (p *arrayPage) sideways(right bool, n int64) {
	if p.mode == showLine {
		n = max((p.to-p.from)/4, 1)
	}
	if !right {
		n = -n
	}
	if p.mode == showLine {
		long := p.to - p.from
		p.from = min(max(p.from+n, 0), p.width()-long)
		p.to = p.from + long
		return
	}
	p.left = min(max(p.left+n, 0), max(p.width()-1, 0))
}

// zoom halves or doubles the range of a line, around its middle.
func (p *arrayPage) zoom(in bool) {
	long := p.to - p.from
	middle := p.from + long/2
	if long *= 2; in {
		long = max(long/4, min(8, p.width()))
	}
	long = min(long, p.width())
	p.from = min(max(middle-long/2, 0), p.width()-long)
	p.to = p.from + long
}

// step changes the index in the selected dimension.
func (p *arrayPage) step(up bool, n int64) {
	if len(p.v.shape) < 3 {
		return
	}
	if !up {
		n = -n
	}
	p.at[p.dim] = min(max(p.at[p.dim]+n, 0), max(p.v.shape[p.dim]-1, 0))
}

func (p *arrayPage) choose(next bool) {
	if n := len(p.v.shape) - 2; n > 0 && next {
		p.dim = (p.dim + 1) % n
	} else if n > 0 {
		p.dim = (p.dim + n - 1) % n
	}
}

// answer moves to the index that the user typed, such as 3,100,20.
func (p *arrayPage) answer(t *viewer, _, text string) {
	words := strings.Split(text, ",")
	if len(words) > len(p.at) || text == "" {
		t.message = fmt.Sprintf("an index has up to %d numbers, as in %s", len(p.at), strings.TrimSuffix(strings.Repeat("0,", len(p.at)), ","))
		return
	}
	for d, w := range words {
		n, err := strconv.ParseInt(strings.TrimSpace(w), 10, 64)
		if err != nil || n < 0 || n >= p.v.shape[d] {
			t.message = fmt.Sprintf("%s: must be 0 to %d", w, p.v.shape[d]-1)
			return
		}
		if p.at[d] = n; d == p.colDim() {
			p.left = n
		}
	}
}
