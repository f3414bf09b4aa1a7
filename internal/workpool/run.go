package workpool

import (
	"context"
	"io"
	"runtime"
	"sync"
)

// Start begins a run. The values of the jobs remain as the last run left them.
// After ctx is cancelled, Acquire and Next return context.Cause(ctx). Each
// goroutine is started when there is a job for it.
//
// If produce is not nil it runs in a separate goroutine as the producer of
// the run: it calls Acquire and Submit, and after it returns and the jobs that
// it submitted are taken, Next returns its error, or io.EOF if that is nil.
//
// If produce is nil, one goroutine is both producer and consumer.
func (p *Pool[T]) Start(ctx context.Context, produce func() error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ctx, p.unwatch = ctx, nil
	p.processors = int32(max(runtime.GOMAXPROCS(0), p.workers))
	p.oneGoroutine, p.closed, p.canceled, p.goroutines = produce == nil, false, nil, p.workers-1
	p.produce, p.ended, p.err = produce, produce == nil, io.EOF
	p.free = append(p.free[:0], p.jobs...)
	p.taken, p.begun, p.submitted = 0, 0, 0
	p.calls = p.calls[:0]
	p.tasks.Store(0)
	p.asleep, p.toWake, p.woken, p.spinning, p.consumerWaits, p.producerWaits = 0, 0, 0, 0, false, false
	p.idle = p.idle[:0]
	for worker := p.workers - 2; worker >= 0; worker-- { // the last one is the first to start
		p.idle = append(p.idle, worker)
	}
	if produce != nil {
		go p.produces()
	}
}

// Limit lowers the number of workers of a run. It is called before Submit.
func (p *Pool[T]) Limit(workers int) {
	p.mu.Lock()
	p.goroutines = min(p.goroutines, workers-1)
	p.mu.Unlock()
}

// Cancel ends a run, as the end of its context does: Acquire and Next return cause.
// It may be called by any goroutine. Between runs it does nothing.
func (p *Pool[T]) Cancel(cause error) {
	p.mu.Lock()
	if p.canceled == nil {
		p.canceled = cause
	}
	p.mu.Unlock()
	p.wakeAll()
}

// wakeAll wakes all goroutines that wait, so that they see the end of the
// context or Close. At any other time it is harmless, for example when the context
// of an earlier run calls it late.
func (p *Pool[T]) wakeAll() {
	p.mu.Lock()
	p.producer.Broadcast()
	p.consumer.Broadcast()
	p.sleepers.Broadcast()
	p.mu.Unlock()
}

// wait waits for c, or the end of the context. p.mu must be held.
func (p *Pool[T]) wait(c *sync.Cond) {
	p.watch()
	c.Wait()
}

// watch makes the end of the context wake all goroutines that wait. p.mu must be held.
func (p *Pool[T]) watch() {
	if p.unwatch == nil && p.ctx.Done() != nil {
		p.unwatch = context.AfterFunc(p.ctx, p.wakeAll)
	}
}

// stopped returns the reason if the run has ended before its last job. p.mu must be held.
func (p *Pool[T]) stopped() error {
	switch {
	case p.canceled != nil:
		return p.canceled
	case p.ctx.Err() != nil:
		return context.Cause(p.ctx)
	case p.closed:
		return context.Canceled
	}
	return nil
}

// Close ends the run and returns when no worker remains. The jobs then belong to
// the caller, unless the producer of Start is still running: see Produced.
func (p *Pool[T]) Close() {
	p.mu.Lock()
	p.closed = true
	p.tasks.Add(1) // makes spinning workers return
	toWake, unwatch := p.toWake, p.unwatch
	p.addLoad(-toWake)
	p.toWake = 0
	p.mu.Unlock()
	p.wakeAll()
	if unwatch != nil {
		unwatch()
	}
	if toWake > 0 {
		p.waker.Stop()
	}
	p.group.Wait() // the workers return nil
}

// Produced reports whether the producer of the last Start has returned; with wait it
// waits for that. A producer that is blocked outside the pool may still run after
// Close: until it has returned, the pool must not be started again, and the values of
// its jobs must not be used.
func (p *Pool[T]) Produced(wait bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for wait && !p.ended {
		p.finished.Wait()
	}
	return p.ended
}
