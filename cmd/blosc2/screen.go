package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/mattn/go-sixel"
	"golang.org/x/term"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/cells"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/raster"
	"github.com/seed03b80dae/blosc2/internal/draw"
)

// A screen shows a picture on a terminal.
type screen struct {
	e          *env
	how        string // method: kitty, sixel, blocks or ascii
	cols, rows int
	wide, high int // size of a cell in pixels
	grid       *cells.Grid
}

// newScreen returns a screen that shows pictures by the given method. For auto it asks
// the terminal for the best method.
func (e *env) newScreen(how string) (*screen, error) {
	s := &screen{e: e, how: how, cols: 80, rows: 24, wide: 8, high: 16}
	if w, h, err := term.GetSize(int(e.stdout.Fd())); err == nil && w > 0 && h > 0 {
		s.cols, s.rows = w, h
	}
	if w, h := cellPixels(e.stdout); w > 0 && h > 0 {
		s.wide, s.high = w, h
	}
	plain := e.ascii || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || os.Getenv("TERM") == ""
	switch {
	case how == "auto" && plain:
		s.how = "ascii"
	case how == "auto":
		s.how = e.ask()
	}
	return s, nil
}

// fit sets the size of a picture, unless it is set already. The picture fills the
// screen except for two lines, which are for the command line.
func (s *screen) fit(l *look) {
	w, h := l.Width, l.Height
	if s.how == "blocks" || s.how == "ascii" {
		if w == 0 {
			w, h = s.cols, min(s.rows-2, s.cols*2/5+6)
		}
		colors := cells.None
		if s.how == "blocks" {
			colors = terminalColors()
		}
		l.grid = cells.NewGrid(max(w, 30), max(h, 8), colors)
		s.grid = l.grid
		return
	}
	if w == 0 {
		w = min(s.cols*s.wide, 2*draw.DefaultWidth)
		h = min((s.rows-2)*s.high, w*draw.DefaultHeight/draw.DefaultWidth)
		l.Width, l.Height = max(w, 200), max(h, 150)
	}
}

// terminalColors returns the number of colours of the terminal, according to the
// environment.
func terminalColors() cells.Colors {
	if c := os.Getenv("COLORTERM"); c == "truecolor" || c == "24bit" || strings.HasSuffix(os.Getenv("TERM"), "-direct") {
		return cells.True
	}
	return cells.Indexed
}

// show writes the picture.
func (s *screen) show(f figure) error {
	if s.grid != nil {
		f.Cells(s.grid)
		_, err := s.grid.WriteTo(s.e.stdout)
		return err
	}
	m := raster.Paint(f.Scene())
	var b bytes.Buffer
	if s.how == "kitty" {
		var data bytes.Buffer
		if err := writePNG(&data, f.Scene()); err != nil {
			return err
		}
		kitty(&b, data.Bytes())
	} else {
		if err := sixel.NewEncoder(&b).Encode(registers(m)); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	_, err := s.e.stdout.Write(b.Bytes())
	return err
}

// kitty writes a PNG file in the graphics protocol of the terminal kitty: base64 in
// escape sequences of at most 4096 bytes. All sequences except the last announce
// another one.
func kitty(w io.Writer, png []byte) {
	text := base64.StdEncoding.EncodeToString(png)
	control := "a=T,f=100,q=2,"
	for {
		part := text[:min(len(text), 4096)]
		text = text[len(part):]
		more := 0
		if text != "" {
			more = 1
		}
		fmt.Fprintf(w, "\x1b_G%sm=%d;%s\x1b\\", control, more, part)
		control = ""
		if more == 0 {
			break
		}
	}
	fmt.Fprintln(w)
}

// query asks a terminal whether it supports kitty's protocol, and then for its
// attributes. Every terminal answers the second question, so if its answer comes alone
// the protocol is not supported.
const query = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c"

// ask returns the best way to show pictures that the terminal claims to support.
func (e *env) ask() string {
	if !e.isTerminal(e.stdout) || !e.isTerminal(e.stdin) {
		return "blocks"
	}
	// Terminal multiplexers answer for themselves, and most do not pass on
	// pictures.
	if t := os.Getenv("TERM"); strings.HasPrefix(t, "screen") || strings.HasPrefix(t, "tmux") || t == "linux" {
		return "blocks"
	}
	return understood(e.answer(query))
}

// understood parses an answer to the query.
func understood(answer string) string {
	if strings.Contains(answer, "\x1b_Gi=31;OK") {
		return "kitty"
	}
	if _, attributes, ok := strings.Cut(answer, "\x1b[?"); ok {
		attributes, _, _ = strings.Cut(attributes, "c")
		if slices.Contains(strings.Split(attributes, ";"), "4") {
			return "sixel"
		}
	}
	return "blocks"
}
