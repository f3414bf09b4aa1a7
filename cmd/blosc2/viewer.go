//go:build !wasip1

package main

import (
	"errors"
	"fmt"
	"image/color"
	"os"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/cells"
)

// Run shows the file until the user quits.
func (c *viewCmd) Run(e *env) error {
	if !e.isTerminal(e.stdin) || !e.isTerminal(e.stdout) {
		return misusef("view needs a terminal; cat prints the numbers, plot -o draws them")
	}
	first, err := e.openPage(c.File, c.DType)
	if err != nil {
		return err
	}
	s, err := tcell.NewScreen()
	if err == nil {
		err = s.Init()
	}
	if err != nil {
		first.close()
		return fmt.Errorf("the terminal %s cannot show it: %w", os.Getenv("TERM"), err)
	}
	t := &viewer{e: e, screen: s, stack: []page{first}, colors: cells.True}
	if e.ascii || os.Getenv("NO_COLOR") != "" {
		t.colors = cells.None
	}
	defer s.Fini()
	return t.loop()
}

// A viewer has a stack of pages, and shows the last one.
type viewer struct {
	e       *env
	screen  tcell.Screen
	stack   []page
	colors  cells.Colors
	help    bool
	count   int    // the number typed before a key, or 0
	message string // shown in the last line until the next key
	prompt  *prompt
	events  chan tcell.Event // nil in tests that do not call loop
}

// A page draws the contents of the screen, except the last line.
type page interface {
	draw(t *viewer, g *cells.Grid)       // draws all but the last line of the screen
	press(t *viewer, key string)         // handles a key, which has a name of keyName
	status() string                      // returns the text of the last line
	keys() [][2]string                   // lists keys and their effects, for the help
	answer(t *viewer, kind, text string) // handles the answer to a prompt
	close()
}

// A prompt asks for a line of text.
type prompt struct{ kind, text string }

// loop draws and handles keys until the user quits.
func (t *viewer) loop() error {
	defer func() {
		for _, p := range t.stack {
			p.close()
		}
	}()
	t.events = make(chan tcell.Event, 16)
	quit := make(chan struct{})
	defer close(quit)
	go t.screen.ChannelEvents(t.events, quit)
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for len(t.stack) > 0 {
		t.show()
		if !t.wait(tick.C) {
			return nil
		}
	}
	return nil
}

// wait waits for an event that may change the screen, and reports whether to
// continue.
func (t *viewer) wait(tick <-chan time.Time) bool {
	for {
		select {
		case ev := <-t.events:
			switch ev := ev.(type) {
			case *tcell.EventResize:
				t.screen.Sync()
				return true
			case *tcell.EventKey:
				return t.key(keyName(ev))
			case nil: // the terminal was closed
				return false
			}
		case <-tick:
			if f, ok := t.top().(follower); ok && f.follow() {
				return true
			}
		}
	}
}

// top returns the page that is shown.
func (t *viewer) top() page { return t.stack[len(t.stack)-1] }

// push shows a page on top of the others.
func (t *viewer) push(p page) { t.stack = append(t.stack, p) }

// key handles a key, and reports whether to continue.
func (t *viewer) key(key string) bool {
	t.message = ""
	switch {
	case key == "ctrl-c":
		return false
	case t.prompt != nil:
		t.edit(key)
	case t.help:
		t.help = false
	case key == "h" || key == "?" || key == "F1":
		t.help = true
	case key == "Q":
		return false
	case key == "q" || key == "esc" || key == "backspace":
		if len(t.stack) == 1 {
			return key == "backspace"
		}
		t.top().close()
		t.stack = t.stack[:len(t.stack)-1]
	case len(key) == 1 && key >= "0" && key <= "9" && t.count < 1<<26 && (t.count > 0 || key != "0"):
		t.count = t.count*10 + int(key[0]-'0')
		t.message = fmt.Sprint(t.count)
		return true
	default:
		t.top().press(t, key)
	}
	t.count = 0
	return true
}

// edit changes the line of the prompt as a key says.
func (t *viewer) edit(key string) {
	p := t.prompt
	switch r := []rune(key); {
	case key == "enter":
		t.prompt = nil
		t.top().answer(t, p.kind, p.text)
	case key == "esc":
		t.prompt = nil
	case key == "backspace":
		if r := []rune(p.text); len(r) > 0 {
			p.text = string(r[:len(r)-1])
		} else {
			t.prompt = nil
		}
	case key == "space":
		p.text += " "
	case len(r) == 1:
		p.text += key
	}
}

// keyNames holds the names of keys that are not characters. Some keys have the name of
// a character with the same effect.
var keyNames = map[tcell.Key]string{
	tcell.KeyUp: "k", tcell.KeyCtrlP: "k",
	tcell.KeyDown: "j", tcell.KeyCtrlN: "j",
	tcell.KeyLeft: "left", tcell.KeyRight: "right",
	tcell.KeyPgDn: "space", tcell.KeyCtrlF: "space", tcell.KeyCtrlV: "space",
	tcell.KeyPgUp: "b", tcell.KeyCtrlB: "b",
	tcell.KeyCtrlD: "d", tcell.KeyCtrlU: "u",
	tcell.KeyHome: "g", tcell.KeyEnd: "G",
	tcell.KeyEnter: "enter", tcell.KeyEscape: "esc",
	tcell.KeyBackspace: "backspace", tcell.KeyBackspace2: "backspace",
	tcell.KeyCtrlC: "ctrl-c", tcell.KeyF1: "F1",
}

// keyName returns a character, or the name of a key.
func keyName(ev *tcell.EventKey) string {
	switch {
	case ev.Key() != tcell.KeyRune:
		return keyNames[ev.Key()]
	case ev.Rune() == ' ':
		return "space"
	}
	return string(ev.Rune())
}

// show draws the page, or the help, and the last line.
func (t *viewer) show() {
	w, h := t.screen.Size()
	g := cells.NewGrid(w, max(h-1, 1), t.colors)
	if t.help {
		t.drawHelp(g)
	} else {
		t.top().draw(t, g)
	}
	t.screen.Clear()
	for y := range g.H {
		for x := range g.W {
			c := g.At(x, y)
			t.screen.SetContent(x, y, c.R, nil, styleOf(c))
		}
	}
	last := t.top().status()
	switch {
	case t.help:
		last = "any key goes back"
	case t.prompt != nil:
		last = t.prompt.kind + t.prompt.text
	case t.message != "":
		last = t.message
	}
	t.say(last)
}

// say writes a text into the last line of the screen.
func (t *viewer) say(text string) {
	w, h := t.screen.Size()
	for x, r := range []rune(t.e.local(shown(text))) {
		if x < w {
			t.screen.SetContent(x, h-1, r, nil, tcell.StyleDefault.Reverse(true))
		}
	}
	t.screen.Show()
}

// styleOf returns the style of a cell.
func styleOf(c *cells.Cell) tcell.Style {
	s := tcell.StyleDefault.Bold(c.Bold)
	if c.FG.A > 0 {
		s = s.Foreground(tcellColor(c.FG))
	}
	if c.BG.A > 0 {
		s = s.Background(tcellColor(c.BG))
	}
	return s
}

func tcellColor(c color.RGBA) tcell.Color {
	return tcell.NewRGBColor(int32(c.R), int32(c.G), int32(c.B))
}

// drawHelp lists the keys.
func (t *viewer) drawHelp(g *cells.Grid) {
	g.Text(0, 0, g.W, "Keys", color.RGBA{}, true)
	all := append(t.top().keys(), [][2]string{
		{"j k, arrows", "a line forward, back"},
		{"space f, b", "a screen forward, back"},
		{"d, u", "half a screen forward, back"},
		{"g, G", "to the first, the last line; with a number before, to that line"},
		{"q, esc", "back; at the first page, quit"},
		{"Q, Ctrl-C", "quit"},
	}...)
	for i, k := range all {
		g.Text(2, i+2, 14, k[0], color.RGBA{}, true)
		g.Text(17, i+2, g.W-17, k[1], color.RGBA{}, false)
	}
}

// moved returns the position to which a key moves from position at. There are n
// positions, and the screen shows size of them. ok is false for other keys.
func (t *viewer) moved(key string, at, n, size int64) (to int64, ok bool) {
	count := int64(max(t.count, 1))
	switch key {
	case "j", "enter", "e":
		at += count
	case "k", "y":
		at -= count
	case "space", "f":
		at += count * size
	case "b":
		at -= count * size
	case "d":
		at += max(size/2, 1)
	case "u":
		at -= max(size/2, 1)
	case "g", "<":
		at = int64(t.count)
	case "G", ">":
		if at = n - 1; t.count > 0 {
			at = int64(t.count)
		}
	default:
		return at, false
	}
	return min(max(at, 0), max(n-1, 0)), true
}

// stopped reports whether a key was pressed during drawing.
func (t *viewer) stopped() bool { return len(t.events) > 0 }

var errStopped = errors.New("stopped by a key")
