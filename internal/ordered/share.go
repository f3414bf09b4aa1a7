package ordered

import (
	"sync"
	"sync/atomic"
)

// A crew is who helps a worker with its job: who is idle, and who waits for the
// job.
type crew[T any] struct {
	mu      sync.Mutex
	v       *T // nil: no help is wanted
	do      func(worker int, v *T)
	helping sync.WaitGroup
	helpers atomic.Int32 // as helping counts them
}

// open says what help is wanted with, and tells whether it had not been said.
func (c *crew[T]) open(v *T, do func(worker int, v *T)) bool {
	if c.v != nil { // only its worker changes that
		return false
	}
	c.mu.Lock()
	c.v, c.do = v, do
	c.mu.Unlock()
	return true
}

// join has worker help with v, or with anything if v is nil, if that is wanted.
func (c *crew[T]) join(worker int, v *T) bool {
	c.mu.Lock()
	if c.v == nil || v != nil && v != c.v {
		c.mu.Unlock()
		return false
	}
	c.helping.Add(1)
	c.helpers.Add(1)
	v, do := c.v, c.do
	c.mu.Unlock()
	do(worker, v)
	c.helpers.Add(-1)
	c.helping.Done()
	return true
}

// Recruit is for work to call, where there are fewer jobs than workers: other
// workers that are idle, or wait for this job, do do(v) at the same time, with
// their own numbers. Call it now and then, for a worker may come to be idle
// later, and Dismiss at the end. It allocates nothing if do was made before.
func (p *Pool[T]) Recruit(worker int, v *T, do func(worker int, v *T)) {
	if p.crews[worker].open(v, do) {
		p.offers.Add(1)
	}
	p.wake(1)
}

// assist has worker help others, and tells whether it did. It looks again only
// where more help was wanted since.
func (p *Pool[T]) assist(worker int) (did bool) {
	me, n := &p.idlers[worker], p.offers.Load()
	if me.seen == n {
		return false
	}
	me.seen = n
	for i := range p.crews {
		if i != worker && p.crews[i].join(worker, nil) {
			did = true
		}
	}
	return did
}

// Dismiss returns when all that worker recruited are through, and nobody else
// will come.
func (p *Pool[T]) Dismiss(worker int) {
	c := &p.crews[worker]
	c.mu.Lock()
	c.v = nil
	c.mu.Unlock()
	lookOut(maxPatience, p.crowded, func() bool { return c.helpers.Load() == 0 })
	c.helping.Wait()
}

// shared are the parts of a job that several workers do.
type shared[T any] struct {
	part  func(worker int, v *T, part int)
	parts int32
	next  atomic.Int32 // the part that is done next
	run   func(worker int, v *T)
}

func (s *shared[T]) init() {
	s.run = func(worker int, v *T) {
		for part, ok := s.take(); ok; part, ok = s.take() {
			s.part(worker, v, part)
		}
	}
}

// take gives the next part; ok is false if none is left.
func (s *shared[T]) take() (part int, ok bool) {
	n := s.next.Add(1) - 1
	return int(n), n < s.parts
}

// Share has idle workers help worker with the parts of the job v. do is called
// once for each part below parts, by all of them at once and with their own
// worker numbers, and Share returns true when all are done. If nobody is idle,
// nor will be soon, it does nothing, and returns false. It allocates nothing if
// do was made before.
func (p *Pool[T]) Share(worker int, v *T, parts int, do func(worker int, v *T, part int)) bool {
	if p.workers == 1 || p.queued() > 0 {
		return false
	}
	s := &p.shares[worker]
	s.part, s.parts = do, int32(parts)
	s.next.Store(0)
	p.Recruit(worker, v, s.run)
	for helpers := 2; ; helpers++ {
		part, ok := s.take()
		if !ok {
			break
		}
		if helpers < min(p.workers, parts) {
			p.wake(1)
		}
		do(worker, v, part)
	}
	p.Dismiss(worker)
	return true
}
