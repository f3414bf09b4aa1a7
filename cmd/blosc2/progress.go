package main

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/seed03b80dae/blosc2/stream"
)

// A bar shows on a terminal how far a verb is. Without a terminal, and with
// -q, it does nothing.
type bar struct {
	e     *env // nil: no bar
	what  string
	total int64 // 0: not known
	begun time.Time
	shown time.Time
}

// barEvery is how often the bar is drawn.
const barEvery = 100 * time.Millisecond

// newBar starts a bar for total bytes of the file called what.
func (e *env) newBar(what string, total int64) *bar {
	if e.quiet || !e.isTerminal(e.stderr) {
		return &bar{}
	}
	now := time.Now()
	return &bar{e: e, what: what, total: total, begun: now, shown: now}
}

// at draws the bar for done bytes, if it is time to.
func (b *bar) at(done int64) {
	if b.e == nil || time.Since(b.shown) < barEvery {
		return
	}
	b.shown = time.Now()
	width, _, err := term.GetSize(int(b.e.stderr.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	fmt.Fprintf(b.e.stderr, "\r%s\x1b[K", b.line(done, b.shown.Sub(b.begun), width-1))
}

// line gives the bar's text in at most width columns.
func (b *bar) line(done int64, elapsed time.Duration, width int) string {
	speed := float64(done) / 1e6 / max(elapsed.Seconds(), 1e-3)
	text := fmt.Sprintf(" %8.1f MB  %7.0f MB/s", float64(done)/1e6, speed)
	if b.total > 0 {
		part := min(float64(done)/float64(b.total), 1)
		left := time.Duration(0)
		if part > 0 {
			left = time.Duration(float64(elapsed) * (1 - part) / part).Round(time.Second)
		}
		text += fmt.Sprintf("  %3.0f %%  %s left", 100*part, left)
		if room := width - len(b.what) - len(text) - 3; room >= 10 {
			full := int(part * float64(room))
			text = " [" + strings.Repeat("=", full) + strings.Repeat(" ", room-full) + "]" + text
		}
	}
	text = b.what + text
	return text[max(0, len(text)-width):]
}

// end wipes the bar away.
func (b *bar) end() {
	if b.e != nil {
		fmt.Fprint(b.e.stderr, "\r\x1b[K")
	}
}

// progress gives the option that draws the bar for a stream.
func (b *bar) progress() stream.Option {
	return stream.Progress(func(s stream.Stats) { b.at(s.Stored) })
}
