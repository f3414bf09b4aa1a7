package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/seed03b80dae/blosc2/stream"
)

// A bar shows the progress of a verb on a terminal. Without a terminal, or with -q,
// it does nothing. Several goroutines may use it.
type bar struct {
	e     *env // nil: no bar
	what  string
	total int64 // 0: not known

	mu      sync.Mutex
	shown   time.Time     // when it was drawn
	elapsed time.Duration // without the time that the program was stopped
	rate    float64       // bytes per second, smoothed
	last    int64         // bytes at the last drawing
	drawn   bool
	ended   bool
	resumed chan os.Signal
}

const (
	barEvery  = 100 * time.Millisecond // interval of drawing
	barSmooth = 0.2                    // weight of the last interval
)

// newBar starts a bar for total bytes of the file what.
func (e *env) newBar(what string, total int64) *bar {
	if e.quiet || e.noBar || !e.isTerminal(e.stderr) || os.Getenv("TERM") == "dumb" {
		return &bar{}
	}
	if what == "-" {
		what = "(standard input)"
	}
	return &bar{e: e, what: e.local(shown(what)), total: total, shown: time.Now(), resumed: notifyResumed()}
}

// add draws the bar for done bytes of the total, if it is time to.
func (b *bar) add(done int64) { b.draw(done, done, 0) }

// draw draws the bar, if it is time to: done is the progress towards the total,
// bytes and stored are the uncompressed and compressed bytes so far; stored is 0
// if not known.
func (b *bar) draw(done, bytes, stored int64) {
	if b.e == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	interval := now.Sub(b.shown)
	if b.ended || interval < barEvery {
		return
	}
	select {
	case <-b.resumed: // bytes in the meantime do not count
		b.shown, b.last = now, bytes
		return
	default:
	}
	b.elapsed += interval
	rate := float64(bytes-b.last) / interval.Seconds()
	if b.rate == 0 {
		b.rate = rate
	}
	b.rate += barSmooth * (rate - b.rate)
	b.shown, b.last, b.drawn = now, bytes, true
	width, _, err := term.GetSize(int(b.e.stderr.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	fmt.Fprintf(b.e.stderr, "\r%s\x1b[K", b.line(done, bytes, stored, width-1))
}

// line returns the bar's text in at most width columns. If there is little room it
// omits the ratio, the rate and the bar first.
func (b *bar) line(done, bytes, stored int64, width int) string {
	parts := []string{amount(bytes)}
	if b.total > 0 {
		parts = append(parts, fmt.Sprintf("%3.0f %%", 100*b.part(done)), b.left(done)+" left")
	}
	room := func() int { return width - len("  ") - len(strings.Join(parts, "  ")) - 12 }
	if speed := amount(int64(b.rate)) + "/s"; room() > len(speed) {
		parts = append(parts[:1:1], append([]string{speed}, parts[1:]...)...)
	}
	if stored > 0 {
		if ratio := fmt.Sprintf("ratio %.2f", float64(bytes)/float64(stored)); room() > len(ratio) {
			parts = append(parts, ratio)
		}
	}
	text := strings.Join(parts, "  ")
	name := b.what
	if free := width - len(text) - 2; utf8.RuneCountInString(name) > free {
		name = shorten(name, free)
	}
	if free := width - utf8.RuneCountInString(name) - len(text) - 5; b.total > 0 && free >= 10 {
		full := int(b.part(done) * float64(free))
		text = "[" + strings.Repeat("=", full) + strings.Repeat(" ", free-full) + "] " + text
	}
	if name != "" {
		text = name + "  " + text
	}
	return text[:min(len(text), max(width, 0))]
}

func (b *bar) part(done int64) float64 { return min(float64(done)/float64(b.total), 1) }

// left estimates the remaining time.
func (b *bar) left(done int64) string {
	part := b.part(done)
	if part <= 0 {
		return "?"
	}
	return time.Duration(float64(b.elapsed) * (1 - part) / part).Round(time.Second).String()
}

// shorten keeps the end of a name, in which files differ most.
func shorten(name string, n int) string {
	r := []rune(name)
	if n < 8 {
		return ""
	}
	return "..." + string(r[len(r)-n+3:])
}

// amount formats a number of bytes briefly.
func amount(n int64) string {
	f, units := float64(n), "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	i := -1
	for f >= 999.5 && i < len(units)-1 {
		f /= 1000
		i++
	}
	if f < 10 {
		return fmt.Sprintf("%.2f %cB", f, units[i])
	}
	return fmt.Sprintf("%.3g %cB", f, units[i])
}

// end erases the bar.
func (b *bar) end() {
	if b.e == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.drawn && !b.ended {
		fmt.Fprint(b.e.stderr, "\r\x1b[K")
	}
	if !b.ended {
		stopResumed(b.resumed)
	}
	b.ended = true
}

// written returns the option that draws the bar during compression.
func (b *bar) written() stream.Option {
	return stream.Progress(func(s stream.Stats) { b.draw(s.Bytes, s.Bytes, s.Stored) })
}

// read returns the option that draws the bar during decompression.
func (b *bar) read() stream.Option {
	return stream.Progress(func(s stream.Stats) { b.draw(s.Stored, s.Bytes, s.Stored) })
}
