package workpool

import (
	"slices"
	"sync"
	"sync/atomic"
)

// A helpers records the help that a worker gets with its job, from workers without
// a task, and from the consumer if it waits for the job. The pool's mutex guards
// it.
type helpers[T any] struct {
	v       *T // nil if no help is needed
	do      func(worker int, v *T)
	helping atomic.Int32 // number of workers that are helping
	gone    sync.Cond    // signals that no worker is helping
	failed  error        // panic of one of the helpers, a *blosc2.PanicError
}

// CallHelp is for work to call if there are fewer jobs than workers: another worker
// without a task, or the consumer if it waits for this job, then calls do(v)
// concurrently, with its own number. Call it from time to time, because a worker
// may finish its own task later, and call EndHelp at the end. It allocates nothing
// if do was made before.
func (p *Pool[T]) CallHelp(worker int, v *T, do func(worker int, v *T)) {
	p.mu.Lock()
	c := &p.helpers[worker]
	c.v, c.do = v, do
	if len(p.calls) == cap(p.calls) {
		p.mu.Unlock()
		return
	}
	p.calls = append(p.calls, c)
	p.unlock(p.added())
}

// EndHelp returns when all helpers of worker have finished, and no other one will
// start. It panics with a *blosc2.PanicError if one of them did.
func (p *Pool[T]) EndHelp(worker int) {
	Raise(p.endHelp(worker))
}

// endHelp is like EndHelp, but returns the panic.
func (p *Pool[T]) endHelp(worker int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.helpers[worker]
	c.v = nil
	n := len(p.calls)
	p.calls = slices.DeleteFunc(p.calls, func(o *helpers[T]) bool { return o == c })
	p.tasks.Add(int32(len(p.calls) - n))
	if c.helping.Load() > 0 {
		p.spinWhile(&c.helping)
	}
	for c.helping.Load() > 0 {
		c.gone.Wait()
	}
	failed := c.failed
	c.failed = nil
	return failed
}

// A shared is the state of a job whose parts several workers do.
type shared[T any] struct {
	part  func(worker int, v *T, part int)
	parts int32
	next  atomic.Int32 // number of the next part
	run   func(worker int, v *T)
}

func (s *shared[T]) init() {
	s.run = func(worker int, v *T) {
		for part, ok := s.take(); ok; part, ok = s.take() {
			s.part(worker, v, part)
		}
	}
}

// take returns the next part; ok is false after the last.
func (s *shared[T]) take() (part int, ok bool) {
	n := s.next.Add(1) - 1
	return int(n), n < s.parts
}

// Share makes other workers help worker with the parts of the job v. They call do
// concurrently, once for each part below parts and with their own worker numbers, and
// Share returns true when all parts are done. If no worker is free, or other jobs wait,
// it returns false, and worker must do all of the job itself. It allocates nothing if
// do was made before.
func (p *Pool[T]) Share(worker int, v *T, parts int, do func(worker int, v *T, part int)) bool {
	s := &p.shares[worker]
	s.part, s.parts = do, int32(parts)
	s.next.Store(0)
	if !p.canShare(worker) {
		return false
	}
	for helpers := 1; ; helpers++ {
		if helpers < min(p.workers, parts) {
			p.CallHelp(worker, v, s.run)
		}
		part, ok := s.take()
		if !ok {
			break
		}
		do(worker, v, part)
	}
	p.EndHelp(worker)
	return true
}

// canShare reports whether another worker may be free to help worker.
func (p *Pool[T]) canShare(worker int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	others := p.goroutines > 0 && (worker < p.workers-1 || p.awake() > 0 || !p.crowded(-1))
	return others && p.begun == p.submitted
}
