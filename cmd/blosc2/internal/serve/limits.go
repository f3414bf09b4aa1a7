package serve

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A budget bounds the memory of all requests together. Requests are served in the
// order in which they came. It is safe for use by several goroutines.
type budget struct {
	mu      sync.Mutex
	all     int64
	free    int64
	waiting []*waiter
}

type waiter struct {
	n     int64
	ready chan struct{}
}

// maxWaiting is the number of requests that may wait for memory.
const maxWaiting = 256

func newBudget(n int64) *budget { return &budget{all: n, free: n} }

// acquire reserves n bytes, waiting for them if necessary, and returns the function
// that releases them. If they do not become free in time, the error is errBusy.
func (b *budget) acquire(ctx context.Context, n int64, wait time.Duration) (release func(), err error) {
	if n > b.all {
		return nil, statusf(http.StatusRequestEntityTooLarge, "the window requires %d bytes of memory at a time; the limit is %d", n, b.all)
	}
	b.mu.Lock()
	if b.free >= n && len(b.waiting) == 0 {
		b.free -= n
		b.mu.Unlock()
		return b.releaser(n), nil
	}
	if len(b.waiting) >= maxWaiting {
		b.mu.Unlock()
		return nil, errBusy
	}
	w := &waiter{n, make(chan struct{})}
	b.waiting = append(b.waiting, w)
	b.mu.Unlock()

	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-w.ready:
		return b.releaser(n), nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = errBusy
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.waiting, w); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
	} else { // the memory was assigned before the wait could be ended
		b.free += n
	}
	b.serve()
	return nil, err
}

func (b *budget) releaser(n int64) func() {
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.free += n
		b.serve()
	})
}

// serve assigns free memory to the requests that wait. b.mu must be held.
func (b *budget) serve() {
	for len(b.waiting) > 0 && b.waiting[0].n <= b.free {
		b.free -= b.waiting[0].n
		close(b.waiting[0].ready)
		b.waiting = b.waiting[1:]
	}
}

// buffers holds buffers for later requests.
var buffers sync.Pool

// buffer returns a buffer of n bytes, and the function that releases it.
func buffer(n int64) ([]byte, func()) {
	if p, _ := buffers.Get().(*[]byte); p != nil && int64(cap(*p)) >= n {
		return (*p)[:n], func() { buffers.Put(p) }
	}
	b := make([]byte, n)
	return b, func() { buffers.Put(&b) }
}

// readTime is the time limit for the arrival of a request's body.
const readTime = 20 * time.Second

// limitReading sets the time limit for the body of a request and returns the
// function that removes it. If the limit remained, the connection would be closed
// while the answer is prepared.
func limitReading(w http.ResponseWriter) (end func()) {
	c := http.NewResponseController(w) // recorders in tests have no deadlines
	c.SetReadDeadline(time.Now().Add(readTime))
	return func() { c.SetReadDeadline(time.Time{}) }
}
