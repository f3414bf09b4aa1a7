package stream

import "sync"

// A turn is the right to use the sending side of a Conn. One goroutine has it
// at a time. A delayed flush has priority over waiting calls, so that a loop of
// Writes cannot delay it.
type turn struct {
	mu     sync.Mutex
	given  sync.Cond // signaled when a turn ends, and when the Conn is closed
	held   bool
	late   bool // a delayed flush has the turn
	due    int  // number of delayed flushes that wait
	closed bool
}

func (t *turn) init() { t.given.L = &t.mu }

// take waits for the turn. It reports whether the caller has it, which is false
// after the Conn is closed.
func (t *turn) take() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for (t.held || t.due > 0) && !t.closed {
		t.given.Wait()
	}
	return t.hold(!t.closed, false)
}

// takeLate is like take, for a delayed flush.
func (t *turn) takeLate() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.due++
	for t.held && !t.closed {
		t.given.Wait()
	}
	t.due--
	return t.hold(!t.closed, true)
}

// takeAnyway waits for the turn of a Conn that may be closed.
func (t *turn) takeAnyway() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.held {
		t.given.Wait()
	}
	t.hold(true, false)
}

// end closes the turn for all goroutines that wait. It waits for a delayed
// flush in progress, but not for a call of the user, and reports whether the
// caller has the turn.
func (t *turn) end() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.given.Broadcast()
	for t.held && t.late {
		t.given.Wait()
	}
	return t.hold(!t.held, false)
}

// over reports whether end was called.
func (t *turn) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closed
}

func (t *turn) hold(ok, late bool) bool {
	if ok {
		t.held, t.late = true, late
	}
	return ok
}

// give releases the turn.
func (t *turn) give() {
	t.mu.Lock()
	t.held = false
	t.mu.Unlock()
	t.given.Broadcast()
}
