package stream

import (
	"time"

	"github.com/seed03b80dae/blosc2"
)

// A delay sends the collected data of a Conn after a time. It is used by the
// goroutine that holds the turn.
type delay struct {
	most  int           // most bytes to collect
	wait  time.Duration // most time that a collected byte may wait
	due   time.Time     // time at which the collected bytes are sent; zero if there are none
	timer *time.Timer   // runs Conn.flushLate; nil until first used
}

// written arranges for the written data to be sent, according to the options.
func (c *Conn) written() error {
	switch {
	case c.delay == nil && c.buffered:
		return nil
	case c.delay == nil || c.w.fill >= c.delay.most:
		return c.flush()
	case c.w.fill == 0 && c.w.coder.inline(): // the chunk was full and is compressed already; a pool may take longer
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

// flushLate flushes when the delay is over. The next call returns its error or
// panic.
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
	// A timer may fire while a Flush stops it: later data may still wait.
	if due := c.delay.due; !due.IsZero() && !time.Now().Before(due) {
		c.flush()
		c.rest()
	}
	returned = true
}

// start starts the timer for the first collected byte.
func (d *delay) start(c *Conn) {
	d.due = time.Now().Add(d.wait)
	if d.timer == nil {
		d.timer = time.AfterFunc(d.wait, c.flushLate)
	} else {
		d.timer.Reset(d.wait)
	}
}

// stop cancels the pending flush, if there is one.
func (d *delay) stop() {
	if !d.due.IsZero() {
		d.due = time.Time{}
		d.timer.Stop()
	}
}
