package stream

import (
	"time"

	"github.com/seed03b80dae/blosc2"
)

// A delay sends what a Conn has collected, when it has waited long enough. It
// is used by the goroutine that has the turn.
type delay struct {
	most  int           // bytes that may wait
	wait  time.Duration // how long they may
	due   time.Time     // when those that wait are sent; zero where none do
	timer *time.Timer   // runs Conn.flushLate; nil until it is needed first
}

// written arranges for what was written to be sent, as a Conn's options say.
func (c *Conn) written() error {
	switch {
	case c.delay == nil && c.buffered:
		return nil
	case c.delay == nil || c.w.fill >= c.delay.most:
		return c.flush()
	case c.w.fill == 0 && c.w.coder.inline(): // the chunk was full; a pool may be at work on it yet
		return c.flush()
	case c.delay.due.IsZero():
		c.delay.start(c)
	}
	return nil
}

// flush sends everything that was written.
func (c *Conn) flush() error {
	if c.delay != nil {
		c.delay.stop()
	}
	return c.w.Flush()
}

// flushLate does so when the delay is over. An error is the Writer's, which the
// next call returns, and so is a panic.
func (c *Conn) flushLate() {
	if !c.turn.takeLate() {
		return
	}
	defer c.turn.give()
	returned := false
	defer func() {
		if !returned {
			c.w.err = blosc2.NewPanicError(recover())
		}
	}()
	// A timer may fire while a Flush stops it: what is collected then may wait.
	if due := c.delay.due; !due.IsZero() && !time.Now().Before(due) {
		c.flush()
		c.rest()
	}
	returned = true
}

// start begins the time of the first byte that waits.
func (d *delay) start(c *Conn) {
	d.due = time.Now().Add(d.wait)
	if d.timer == nil {
		d.timer = time.AfterFunc(d.wait, c.flushLate)
	} else {
		d.timer.Reset(d.wait)
	}
}

// stop ends it.
func (d *delay) stop() {
	if !d.due.IsZero() {
		d.due = time.Time{}
		d.timer.Stop()
	}
}
