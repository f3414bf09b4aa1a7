package ordered

import (
	"sync"
	"sync/atomic"
)

// A crew is who helps a worker with its job: who is idle when it recruits, and
// who waits for the job.
type crew[T any] struct {
	mu      sync.Mutex
	v       atomic.Pointer[T] // nil: no help is wanted; set with mu held
	do      func(worker int, v *T)
	helping sync.WaitGroup
}

// A call asks an idle worker to join a crew.
type call[T any] struct {
	v    *T
	crew *crew[T]
}

// open says what help is wanted with, to who waits for it.
func (c *crew[T]) open(v *T, do func(worker int, v *T)) {
	if c.v.Load() == nil { // only its worker changes that
		c.mu.Lock()
		c.v.Store(v)
		c.do = do
		c.mu.Unlock()
	}
}

// join has the consumer help with j, if who does it wants that.
func (p *Pool[T]) join(j *Job[T]) bool {
	w := j.worker.Load()
	return w > 0 && p.crews[w-1].join(p.workers-1, &j.Value)
}

// join has worker help with v, if that is wanted.
func (c *crew[T]) join(worker int, v *T) bool {
	if c.v.Load() != v {
		return false // sooner than with mu
	}
	c.mu.Lock()
	if c.v.Load() != v {
		c.mu.Unlock()
		return false
	}
	c.helping.Add(1)
	do := c.do
	c.mu.Unlock()
	do(worker, v)
	c.helping.Done()
	return true
}

// Recruit is for work to call, where there are fewer jobs than workers: if
// another worker is idle, or waits for this job, it does do(v) at the same time,
// with its own number. Call it now and then, for a worker may come to be idle
// later, and Dismiss at the end. It allocates nothing if do was made before.
func (p *Pool[T]) Recruit(worker int, v *T, do func(worker int, v *T)) {
	p.crews[worker].open(v, do)
	p.call(worker, v)
}

// call has an idle worker help worker with v, if there is one.
func (p *Pool[T]) call(worker int, v *T) bool {
	if int(p.awake.Load()) == p.hands() && !p.helps {
		return false
	}
	select {
	case p.help <- call[T]{v, &p.crews[worker]}: // who is awake may be looking for it
	default:
	}
	p.hire(p.tasks())
	return true
}

// Dismiss returns when all that worker recruited are through, and nobody else
// will come.
func (p *Pool[T]) Dismiss(worker int) {
	c := &p.crews[worker]
	c.mu.Lock()
	c.v.Store(nil)
	c.mu.Unlock()
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
// worker numbers, and Share returns true when all are done. If nobody can come,
// or other jobs wait, it returns false, and worker does all of the job itself. It allocates nothing if do was made before.
func (p *Pool[T]) Share(worker int, v *T, parts int, do func(worker int, v *T, part int)) bool {
	s := &p.shares[worker]
	s.part, s.parts = do, int32(parts)
	s.next.Store(0)
	if p.workers == 1 || len(p.queue) > 0 {
		return false
	}
	p.crews[worker].open(v, s.run)
	if !p.call(worker, v) {
		p.Dismiss(worker)
		return false
	}
	for helpers := 2; ; helpers++ {
		part, ok := s.take()
		if !ok {
			break
		}
		if helpers < min(p.workers, parts) {
			p.call(worker, v)
		}
		do(worker, v, part)
	}
	p.Dismiss(worker)
	return true
}
