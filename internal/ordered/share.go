package ordered

import (
	"sync"
	"sync/atomic"
)

// A call asks an idle worker for help.
type call[T any] struct {
	v    *T
	do   func(worker int, v *T)
	crew *sync.WaitGroup // of all who help
}

// assist does what a worker is called for.
func (c call[T]) assist(worker int) {
	c.do(worker, c.v)
	c.crew.Done()
}

// Recruit is for work to call, where there are fewer jobs than workers: if
// another worker is idle, it does do(v) at the same time, with its own number.
// Call it now and then, for a worker may come to be idle later, and Dismiss at
// the end. It allocates nothing if do was made before.
func (p *Pool[T]) Recruit(worker int, v *T, do func(worker int, v *T)) bool {
	crew := &p.crews[worker]
	crew.Add(1)
	select {
	case p.help <- call[T]{v, do, crew}:
		return true
	default:
		crew.Done()
		return false
	}
}

// Dismiss returns when all that worker recruited are through.
func (p *Pool[T]) Dismiss(worker int) { p.crews[worker].Wait() }

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
// worker numbers, and Share returns true when all are done. If nobody is idle
// it does nothing, and returns false. It allocates nothing if do was made before.
func (p *Pool[T]) Share(worker int, v *T, parts int, do func(worker int, v *T, part int)) bool {
	s := &p.shares[worker]
	s.part, s.parts = do, int32(parts)
	s.next.Store(0)
	if !p.Recruit(worker, v, s.run) {
		return false
	}
	for helpers := 2; ; helpers++ {
		part, ok := s.take()
		if !ok {
			break
		}
		if helpers < min(p.workers, parts) {
			p.Recruit(worker, v, s.run)
		}
		do(worker, v, part)
	}
	p.Dismiss(worker)
	return true
}
