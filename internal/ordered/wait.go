package ordered

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A goroutine that has nothing to do looks out for something for a while before
// it sleeps: to wake a processor takes 5 to 70 µs, most where it is a virtual
// one, and as long as many a job does. Who looked out in vain looks out for half
// as long the next time, so that a run whose jobs come slowly costs no more than
// they do.
const (
	maxPatience = 50 * time.Microsecond
	minPatience = maxPatience / 32
)

// looksAtOnce is how often something is looked for between two looks at the clock.
const looksAtOnce = 32

// lookOut calls found until that is true or patience is over.
func lookOut(patience time.Duration, crowded bool, found func() bool) bool {
	var start time.Time
	for {
		if crowded {
			runtime.Gosched() // others may have work to do
		}
		for range looksAtOnce {
			if found() {
				return true
			}
		}
		if start.IsZero() {
			start = time.Now()
		} else if time.Since(start) > patience {
			return false
		}
	}
}

// A bell wakes one goroutine, which waits for a number.
type bell struct {
	waits atomic.Int64 // the number, and 1; 0: nobody waits
	c     chan struct{}
}

func (b *bell) reset() {
	b.waits.Store(0)
	if b.c == nil || len(b.c) > 0 {
		b.c = make(chan struct{}, 1)
	}
}

// set says that the goroutine is about to wait for n on c. It must look once
// more then, and unset if it does not wait.
func (b *bell) set(n int64) { b.waits.Store(n + 1) }

// unset says that it does not.
func (b *bell) unset() {
	if b.waits.Swap(0) == 0 {
		<-b.c // somebody has rung
	}
}

// ring wakes the goroutine if it waits for n, and tells whether it did.
func (b *bell) ring(n int64) bool {
	if b.waits.Load() != n+1 || !b.waits.CompareAndSwap(n+1, 0) {
		return false
	}
	b.c <- struct{}{}
	return true
}

// wake wakes the goroutine, whatever it waits for.
func (b *bell) wake() {
	if n := b.waits.Load(); n != 0 {
		b.ring(n - 1)
	}
}

// beds are where workers sleep.
type beds struct {
	n atomic.Int32 // who sleep and were not called
	c chan struct{}
}

func (b *beds) reset(workers int) {
	b.n.Store(0)
	if cap(b.c) != workers || len(b.c) > 0 {
		b.c = make(chan struct{}, workers)
	}
}

// call wakes one of them, and tells whether there was one.
func (b *beds) call() bool {
	for {
		n := b.n.Load()
		if n == 0 {
			return false
		}
		if b.n.CompareAndSwap(n, n-1) {
			b.c <- struct{}{}
			return true
		}
	}
}

// leave is for who went to bed and does not sleep after all.
func (b *beds) leave() {
	for {
		n := b.n.Load()
		if n == 0 {
			<-b.c // it was called
			return
		}
		if b.n.CompareAndSwap(n, n-1) {
			return
		}
	}
}

// An idler is what a worker knows of its idleness.
type idler struct {
	patience time.Duration
	seen     int64 // of the offers
	place    atomic.Int32
	_        [104]byte
}

// met adapts the patience to whether the look-out met something.
func (i *idler) met(ok bool) {
	if ok {
		i.patience = min(2*i.patience, maxPatience)
	} else {
		i.patience = max(i.patience/2, minPatience)
	}
}

// idle waits until there may be something to do for a worker, and tells whether
// it shall look on.
func (p *Pool[T]) idle(worker int) bool {
	me := &p.idlers[worker]
	something := func() bool { return p.queued() > 0 || p.offers.Load() != me.seen || p.closed.Load() }
	p.awake.Add(1)
	ok := lookOut(me.patience, p.crowded, something)
	p.awake.Add(-1)
	if me.met(ok); ok {
		return !p.closed.Load()
	}
	if p.ended.Load() {
		return p.queued() > 0
	}
	p.asleep.n.Add(1)
	if something() || p.ended.Load() {
		p.asleep.leave()
		return true
	}
	return p.sleep(p.asleep.c) == nil
}

// wake sees to it that enough workers look for n jobs, or parts of one.
func (p *Pool[T]) wake(n int) {
	if n > int(p.awake.Load()) && !p.asleep.call() && p.helps {
		p.consumer.wake()
	}
}

// await waits until there may be something for the consumer.
func (p *Pool[T]) await() {
	me := &p.idlers[p.workers]
	if p.helps {
		me = &p.idlers[p.workers-1]
	}
	something := func() bool {
		if p.given < p.submitted.Load() {
			if p.ring[p.given%int64(len(p.ring))].done.Load() {
				return true
			}
		} else if p.ended.Load() {
			return true
		}
		return p.helps && (p.queued() > 0 || p.offers.Load() != me.seen)
	}
	ok := lookOut(me.patience, p.crowded, something)
	if me.met(ok); ok {
		return
	}
	p.consumer.set(p.given)
	if something() {
		p.consumer.unset()
		return
	}
	p.sleep(p.consumer.c)
}
