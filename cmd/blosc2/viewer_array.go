//go:build !wasip1

package main

import (
	"errors"
	"fmt"
	"image/color"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/cells"
	"github.com/seed03b80dae/blosc2/internal/draw"
)

// These are the ways to show an array.
const (
	showTable  = "table"
	showLine   = "line"
	showImage  = "image"
	showHist   = "histogram"
	showChunks = "chunks"
)

// An arrayPage shows an array along one or two dimensions, at one index in each of the
// others.
type arrayPage struct {
	v          *view
	mode       string
	at         []int64 // the index shown in each dimension; in that of the rows, the first one
	left       int64   // the first column shown
	dim        int     // the dimension whose index the keys [ and ] change
	from, to   int64   // range of the columns that a line shows
	rows, cols int64   // numbers of rows and columns on the screen
	log        bool
	palette    int
	drawn      picture
	reopen     func() (*view, error) // opens the file again; nil if the file is not followed
	stamp      stamp                 // the stamp of the file when v was opened
}

// A picture is the last drawing. It is shown again if a key changes nothing, without
// reading the data again.
type picture struct {
	key  string
	grid *cells.Grid
}

func newArrayPage(v *view) *arrayPage {
	p := &arrayPage{v: v, mode: showTable, at: make([]int64, len(v.shape)), rows: 1, cols: 1}
	p.to = p.width()
	return p
}

// rowDim and colDim return the dimensions shown, -1 if there is no such
// dimension.
func (p *arrayPage) rowDim() int {
	if len(p.v.shape) == 1 {
		return 0
	}
	return len(p.v.shape) - 2
}

func (p *arrayPage) colDim() int {
	if len(p.v.shape) < 2 {
		return -1
	}
	return len(p.v.shape) - 1
}

// height and width return the lengths of the dimensions shown.
func (p *arrayPage) height() int64 {
	if d := p.rowDim(); d >= 0 {
		return p.v.shape[d]
	}
	return 1
}

// width returns the number of columns. If the array is shown as a line, it returns the
// length of the line.
func (p *arrayPage) width() int64 {
	if d := p.colDim(); d >= 0 {
		return p.v.shape[d]
	}
	return p.height()
}

func (p *arrayPage) close() { p.v.Close() }

func (p *arrayPage) status() string {
	at := make([]string, len(p.at))
	for d := range p.at {
		at[d] = fmt.Sprint(p.at[d])
		switch {
		case d == p.colDim():
			at[d] = fmt.Sprint(p.left)
		case len(p.at) > 2 && d == p.dim:
			at[d] = "<" + at[d] + ">"
		}
	}
	s := fmt.Sprintf("%s  [%s]  h help  q quit  t table  l line  i image  H histogram", p.mode, strings.Join(at, ","))
	if p.log {
		s = "log " + s
	}
	return s
}

func (p *arrayPage) keys() [][2]string {
	return [][2]string{
		{"t l i H c", "table, line, image, histogram, chunk map"},
		{"← →", "columns; along a line"},
		{"+ -", "show less or more of a line"},
		{"[ ]", "index in the dimension in <>, back and forward"},
		{"{ }", "choose that dimension"},
		{":", "go to an index, as in 3,100,20"},
		{"L, p", "logarithmic scale, next palette"},
	}
}

// window returns the window of some rows and columns, at the indices of the page in the
// other dimensions. A single row drops its dimension.
func (p *arrayPage) window(row, rows, col, cols int64) *selection {
	s := p.v.all()
	for d := range s.Window {
		switch {
		case d == p.rowDim() && rows != 1:
			s.Window[d] = b2nd.Span{Start: row, Stop: row + rows, Step: 1}
		case d == p.colDim():
			s.Window[d] = b2nd.Span{Start: col, Stop: col + cols, Step: 1}
		default:
			s.Window[d] = b2nd.Span{Start: p.at[d], Stop: p.at[d] + 1, Step: 1, Drop: true}
		}
	}
	return s
}

func (p *arrayPage) draw(t *viewer, g *cells.Grid) {
	for _, n := range p.v.shape {
		if n == 0 {
			g.Text(0, 0, g.W, shown(filepath.Base(p.v.name))+": no items", color.RGBA{}, true)
			return
		}
	}
	var err error
	if p.mode == showTable {
		err = p.drawTable(g)
	} else {
		err = p.drawPicture(t, g)
	}
	if errors.Is(err, errStopped) {
		t.message = "stopped by a key"
	} else if err != nil {
		text := []rune(strings.TrimPrefix(plain(err), "blosc2: "))
		for y := 1; len(text) > 0; y++ {
			n := min(g.W, len(text))
			g.Text(0, y, n, string(text[:n]), color.RGBA{}, false)
			text = text[n:]
		}
	}
}

// drawPicture draws a chart, or the previous one if it is the same.
func (p *arrayPage) drawPicture(t *viewer, g *cells.Grid) error {
	p.rows = 1
	key := fmt.Sprint(p.mode, p.at, p.from, p.to, p.log, p.palette, g.W, g.H)
	if p.mode != showLine && p.rowDim() >= 0 {
		still := append([]int64{}, p.at...)
		still[p.rowDim()] = 0
		key = fmt.Sprint(p.mode, still, p.log, p.palette, g.W, g.H)
	}
	if p.drawn.key == key {
		*g = *p.drawn.grid
		return nil
	}
	l := look{log: p.log, grid: g, palette: draw.Palettes[p.palette].Name, hist: p.mode == showHist}
	l.Options = draw.Options{Title: shown(filepath.Base(p.v.name)), Theme: draw.Dark}
	f, err := p.figure(t, &l)
	if err != nil {
		return err
	}
	f.Cells(g)
	p.drawn = picture{key, g}
	return nil
}

func (p *arrayPage) figure(t *viewer, l *look) (figure, error) {
	if p.mode == showChunks {
		return l.chunkMap(p.v)
	}
	w := p.window(0, p.height(), 0, p.width())
	switch {
	case p.mode == showLine && p.colDim() < 0:
		w = p.window(p.from, p.to-p.from, 0, 0)
	case p.mode == showLine:
		w = p.window(0, 1, p.from, p.to-p.from)
		l.Title += fmt.Sprintf(" row %d", p.at[p.rowDim()])
	case p.mode == showImage && p.colDim() < 0:
		return nil, errors.New("an array of one dimension is a line (l) or a histogram (H)")
	}
	if w.bytes() > longRead {
		t.say("reading; a key stops it")
	}
	return l.figure(p.v, w, func(int) error {
		if t.stopped() {
			return errStopped
		}
		return nil
	})
}

// longRead is the number of bytes of the smallest read during which the viewer shows a
// message.
const longRead = 64 << 20
