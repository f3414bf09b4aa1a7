package ordered

import (
	"sync"
	"sync/atomic"
)

// shared is a job whose parts several workers do.
type shared[T any] struct {
	v       *T
	do      func(worker int, v *T, part int)
	parts   int32
	next    atomic.Int32 // the part that is done next
	helping sync.WaitGroup
}

// run does parts until none is left.
func (s *shared[T]) run(worker int) {
	for {
		part := s.next.Add(1) - 1
		if part >= s.parts {
			return
		}
		s.do(worker, s.v, int(part))
	}
}

// Share is for work to call, where there are fewer jobs than workers: those
// that are idle help worker with the job v. do is called once for each part
// below parts, by all of them at once and with their own worker numbers, and
// Share returns true when all are done. If nobody is idle it does nothing, and
// returns false. It allocates nothing if do was made before.
func (p *Pool[T]) Share(worker int, v *T, parts int, do func(worker int, v *T, part int)) bool {
	s := &p.shares[worker]
	s.v, s.do, s.parts = v, do, int32(parts)
	s.next.Store(0)
	helpers := 0
	for helpers < min(p.workers, parts)-1 && p.recruit(s) {
		helpers++
	}
	if helpers == 0 {
		return false
	}
	s.run(worker)
	s.helping.Wait()
	return true
}

// recruit finds an idle worker.
func (p *Pool[T]) recruit(s *shared[T]) bool {
	s.helping.Add(1)
	select {
	case p.help <- s:
		return true
	default:
		s.helping.Done()
		return false
	}
}
