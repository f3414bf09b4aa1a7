package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// A tries counts the attempts at one request.
type tries struct {
	o       *Object
	ctx     context.Context
	attempt context.Context // context of the current attempt
	cancel  context.CancelCauseFunc
	stall   *time.Timer
	n       int // number of failed attempts
}

// begin begins an attempt, which fails if it receives nothing for too long.
func (t *tries) begin() {
	attempt, cancel := context.WithCancelCause(t.ctx)
	t.attempt, t.cancel = attempt, cancel
	t.stall = time.AfterFunc(t.o.cfg.stall, func() { cancel(ErrStalled) })
	t.o.stats.add(1, 0, 0)
}

// received records that the attempt has received n bytes.
func (t *tries) received(n int) {
	t.o.stats.add(0, int64(n), 0)
	t.stall.Reset(t.o.cfg.stall)
}

// done ends an attempt.
func (t *tries) done() {
	t.stall.Stop()
	t.cancel(nil)
}

// again is called after an attempt that ended with err. If another attempt is
// worthwhile, it waits and returns nil; otherwise it returns the error of the request.
func (t *tries) again(err error) error {
	if cause := context.Cause(t.attempt); cause == ErrStalled {
		err = fmt.Errorf("%w (%v)", cause, t.o.cfg.stall)
	}
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	if !passing(err) || t.n >= t.o.cfg.retries || !t.o.budget.take() {
		return err
	}
	wait := min(t.o.cfg.wait<<t.n, maxWait)
	wait = wait/2 + rand.N(wait/2+1)
	var status *StatusError
	if errors.As(err, &status) {
		wait = max(wait, min(status.Wait, maxServerWait))
	}
	t.n++
	t.o.stats.add(0, 0, 1)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-t.ctx.Done():
		return context.Cause(t.ctx)
	}
}

// These limit the pause before a retry: our own, which doubles, and the one that a
// server asks for in Retry-After. A store that needs longer is reported as failing.
const (
	maxWait       = 10 * time.Second
	maxServerWait = 30 * time.Second
)

// A request reads some bytes of an object, front to back. If an answer ends early,
// the rest is requested again.
type request struct {
	tries
	off, end int64
	body     io.ReadCloser
}

// Read reads the available bytes. At the end the error is io.EOF.
func (r *request) Read(p []byte) (n int, err error) {
	for {
		if r.off >= r.end {
			return 0, io.EOF
		}
		if err := r.start(); err != nil {
			return 0, err
		}
		n, err = r.body.Read(p[:min(int64(len(p)), r.end-r.off)])
		if n > 0 {
			r.off += int64(n)
			r.received(n)
			return n, nil
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			if err = r.again(fmt.Errorf("%w: %w", errBroken, err)); err != nil {
				return 0, err
			}
		}
	}
}

// start requests the remaining bytes, until there is an answer.
func (r *request) start() error {
	for r.body == nil {
		if err := r.open(); err != nil {
			if err = r.again(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// open makes one attempt to request the remaining bytes.
func (r *request) open() error {
	r.begin()
	asked := time.Now()
	body, info, err := r.ask()
	if err != nil {
		return err
	}
	r.o.stats.answered(time.Since(asked))
	r.body = body
	if err := r.o.same(info); err != nil {
		return err
	}
	if r.off < 0 {
		r.off, r.end = max(info.Size+r.off, 0), info.Size
	}
	r.end = min(r.end, info.Size)
	return nil
}

// ask makes the backend's request: for the end of the object if off is negative.
func (r *request) ask() (io.ReadCloser, Info, error) {
	if r.off < 0 {
		return r.o.backend.(Ender).OpenEnd(r.attempt, -r.off)
	}
	return r.o.backend.Open(r.attempt, r.off, r.end-r.off, r.o.version)
}

// again ends a failed attempt. If another attempt is worthwhile, it waits and returns
// nil; otherwise it returns the error of the request.
func (r *request) again(err error) error {
	r.Close()
	return r.tries.again(err)
}

// Close ends the current attempt.
func (r *request) Close() {
	if r.cancel == nil {
		return
	}
	if r.body != nil {
		if r.off < r.end {
			r.cancel(nil) // so that Close does not read the rest
		}
		r.body.Close()
	}
	r.done()
	r.body, r.cancel = nil, nil
}

// A budget bounds the retries of an object, so that a failing server does not receive
// several times as many requests.
type budget struct {
	mu     sync.Mutex
	tokens float64
}

// These bound the share of retries: after the first 50, at most a fifth of the requests
// to a store that keeps failing are retries, so that they do not multiply its load.
const (
	budgetMost   = 50
	budgetEarned = 0.2 // number of retries that each successful request allows
)

func (b *budget) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

func (b *budget) earn() {
	b.mu.Lock()
	b.tokens = min(b.tokens+budgetEarned, budgetMost)
	b.mu.Unlock()
}

// Stats counts the requests for an object and their bytes.
type Stats struct {
	Requests int64 // including retries
	Bytes    int64 // bytes of all bodies
	Retries  int64
}

type figures struct {
	mu sync.Mutex
	Stats
	wait atomic.Int64 // nanoseconds until the quickest answer; 0 before the first
}

// answered records how long an answer took to begin.
func (f *figures) answered(wait time.Duration) {
	for {
		old := f.wait.Load()
		if old != 0 && old <= int64(wait) || f.wait.CompareAndSwap(old, max(int64(wait), 1)) {
			return
		}
	}
}

func (f *figures) add(requests, bytes, retries int64) {
	f.mu.Lock()
	f.Requests += requests
	f.Bytes += bytes
	f.Retries += retries
	f.mu.Unlock()
}
