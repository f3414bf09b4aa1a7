package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A bar shows the progress of a verb on a terminal. Without a terminal, or with -q,
// it does nothing. Several goroutines may use it.
type bar struct {
	e     *env // nil if no bar is shown
	what  string
	total int64 // 0 if the total is not known

	mu      sync.Mutex
	timer   *time.Timer   // draws the bar while no progress is reported
	done    int64         // progress towards the total
	bytes   int64         // uncompressed bytes so far
	stored  int64         // compressed bytes so far; 0 if the number is not known
	shown   time.Time     // when the bar was last drawn
	elapsed time.Duration // running time, excluding the time that the program was stopped
	rated   time.Time     // when rate was computed
	last    int64         // bytes when rate was computed
	rate    float64       // smoothed number of bytes per second
	drawn   bool
	ended   bool

	read atomic.Int64 // bytes that watched readers have read
}

var barEvery = 100 * time.Millisecond // shortest interval between drawings; tests change it

const (
	barTick   = 500 * time.Millisecond // longest interval between drawings
	barSmooth = 0.2                    // weight in the rate of an interval of 100 ms
	// If the bar was not drawn for this long, the program was stopped, as by Ctrl-Z.
	barStopped = 4 * barTick
	barMargin  = 3 // free columns, for the cursor and for the ^C or ^Z that a terminal shows
)

// newBar starts a bar for total bytes of the file what. The caller must end it. While a
// bar is shown, a second one is not.
func (e *env) newBar(what string, total int64) *bar {
	if e.quiet || e.noBar || !e.isTerminal(e.stderr) || os.Getenv("TERM") == "dumb" {
		return &bar{}
	}
	if what == "-" {
		what = "(standard input)"
	}
	now := time.Now()
	b := &bar{e: e, what: e.local(shown(what)), total: total, shown: now, rated: now}
	if !e.bar.CompareAndSwap(nil, b) {
		return &bar{}
	}
	b.timer = time.AfterFunc(barTick, b.tick)
	return b
}

// add draws the bar for done bytes of the total, unless it was drawn a short time ago.
func (b *bar) add(done int64) { b.draw(done, done, 0) }

// draw draws the bar, unless it was drawn a short time ago. done is the progress
// towards the total. bytes and stored are the uncompressed and compressed bytes so far;
// stored is 0 if it is not known.
func (b *bar) draw(done, bytes, stored int64) {
	if b.e == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done, b.bytes, b.stored = done, bytes, stored
	if now := time.Now(); !b.ended && now.Sub(b.shown) >= barEvery {
		b.show(now)
	}
}

// tick draws the bar if no progress is reported, as while a large chunk is compressed.
// It also draws it after the program was stopped, because the shell has then written to
// the terminal.
func (b *bar) tick() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return
	}
	if now := time.Now(); now.Sub(b.shown) >= barTick/2 {
		b.show(now)
	}
	b.timer.Reset(barTick)
}

// show draws the bar.
func (b *bar) show(now time.Time) {
	if interval := now.Sub(b.shown); interval < barStopped {
		b.elapsed += interval
	} else { // exclude the bytes of this interval from the rate
		b.rated, b.last = now, b.bytes
	}
	if interval := now.Sub(b.rated); b.bytes != b.last && interval > 0 {
		rate := float64(b.bytes-b.last) / interval.Seconds()
		if b.rate == 0 {
			b.rate = rate
		}
		weight := 1 - math.Pow(1-barSmooth, interval.Seconds()*10)
		b.rate += weight * (rate - b.rate)
		b.rated, b.last = now, b.bytes
	}
	b.shown, b.drawn = now, true
	width, _, err := term.GetSize(int(b.e.stderr.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	fmt.Fprintf(b.e.stderr, "\r%s\x1b[K", b.line(b.done, b.bytes, b.stored, width-barMargin))
}

// clear erases the bar, before other text is written to the terminal.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
}

func (b *bar) erase() {
	if b.drawn {
		fmt.Fprint(b.e.stderr, "\r\x1b[K")
		b.drawn = false
	}
}

// line returns the text of the bar, in at most width columns. If they are too few, it
// omits the ratio, the rate or the bar, and shortens the name.
func (b *bar) line(done, bytes, stored int64, width int) string {
	parts := []string{amount(bytes)}
	if b.total > 0 {
		parts = append(parts, fmt.Sprintf("%3.0f %%", 100*b.part(done)), b.left(done)+" left")
	}
	room := func() int { return width - len("  ") - len(strings.Join(parts, "  ")) - 12 }
	if speed := amount(int64(b.rate)) + "/s"; b.rate > 0 && room() > len(speed) {
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

// left returns an estimate of the remaining time.
func (b *bar) left(done int64) string {
	part := b.part(done)
	if part <= 0 {
		return "?"
	}
	return time.Duration(float64(b.elapsed) * (1 - part) / part).Round(time.Second).String()
}

// shorten returns the end of a name, where names differ most.
func shorten(name string, n int) string {
	r := []rune(name)
	if n < 8 {
		return ""
	}
	return "..." + string(r[len(r)-n+3:])
}

// amount formats a number of bytes in few characters.
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
	b.erase()
	b.ended = true
	b.timer.Stop()
	b.e.bar.CompareAndSwap(b, nil)
}

// written returns the option that draws the bar during compression.
func (b *bar) written() stream.Option {
	return stream.Progress(func(s stream.Stats) { b.draw(s.Bytes, s.Bytes, s.Stored) })
}

// reading returns a reader of r that draws the bar after reads.
func (b *bar) reading(r io.ReaderAt) io.ReaderAt {
	if b.e == nil {
		return r
	}
	return &watchedReader{r, b}
}

// A watchedReader counts the bytes that are read, in all readers of its bar.
type watchedReader struct {
	io.ReaderAt
	bar *bar
}

// ReadAt reads into b and counts the bytes.
func (w *watchedReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(p, off)
	w.bar.add(w.bar.read.Add(int64(n)))
	return n, err
}

// rewritten returns the option that draws the bar while a frame is read or rewritten.
func (b *bar) rewritten() frame.Option {
	return frame.Progress(func(done, _ int64) { b.add(done) })
}

// expanded returns the option that draws the bar during decompression.
func (b *bar) expanded() stream.Option {
	return stream.Progress(func(s stream.Stats) { b.draw(s.Stored, s.Bytes, s.Stored) })
}
