// Package workpool runs jobs on several goroutines and returns them in the order
// in which they were submitted. The jobs are made once and circulate, so that a
// run of any length holds a fixed number of them and allocates nothing for each:
//
//	free → (the producer fills a job) → queue → (a worker does it) → (the consumer takes it) → free
//
// One goroutine produces and one consumes; they may be the same. The consumer is
// one of the workers while it waits in Next.
//
// One mutex guards all of a pool's state. A job's value needs no lock: it has
// one holder at a time, and is handed over with the mutex held.
//
// The jobs are in pool.go, the beginning and end of a run in run.go, the workers in
// worker.go, work on one job by several in help.go, the fast waking of workers in
// wake.go, and the handling of panics in panic.go; each.go is a loop over tasks
// without a pool.
package workpool

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// Spare is the number of jobs beyond one for each worker that keep all workers busy:
// one being filled and one being consumed. If one goroutine does both, one is enough.
const Spare = 2

// A Job carries a value through the pool. Its holder may use the value: the
// producer from Acquire to Submit, a worker, the consumer from Next to Release.
type Job[T any] struct {
	Value T

	err    error
	worker int         // the worker of the job, -1 before it has one; guarded by the pool's mutex
	done   atomic.Bool // set with the mutex held; read without it by a spinning consumer
}

// A Pool does jobs. Make it with New, and use it in runs: Start, any number of
// jobs, Close.
type Pool[T any] struct {
	workers       int
	work          func(worker int, v *T) error
	jobs          []*Job[T]
	waitsForInput bool // work may block until there is input

	mu           sync.Mutex
	ctx          context.Context
	unwatch      func() bool // stops watching ctx; nil before a goroutine waits
	processors   int32
	oneGoroutine bool // one goroutine is both producer and consumer
	closed       bool
	canceled     error // cause given to Cancel
	goroutines   int   // largest number of workers that are goroutines

	produce  func() error
	produces func() // runs produce in its own goroutine
	ended    bool   // produce has returned err, or there is no produce
	err      error  // error that Next returns after the last job

	free      []*Job[T]
	ring      []*Job[T] // submitted jobs that have not been taken, by position modulo the length
	taken     int       // position of the next job for the consumer
	begun     int       // position of the next job for a worker
	submitted int       // position of the next job to be submitted

	helpers []helpers[T]  // helpers of each worker
	shares  []shared[T]   // shared job of each worker
	calls   []*helpers[T] // helpers whose workers call for help
	tasks   atomic.Int32  // number of jobs that wait for a worker, and of calls; not 0 once closed. Set with mu held

	group         errgroup.Group
	serves        []func() error // runs each worker in its own goroutine
	producer      sync.Cond      // the producer waits for a free job
	producerWaits bool           // the producer waits for a free job
	consumer      sync.Cond      // the consumer waits for the next job or a task
	consumerWaits bool           // the consumer waits for the next job, or a task
	finished      sync.Cond      // Produced waits until produce has ended
	sleepers      sync.Cond      // workers without a task wait to be woken
	idle          []int          // workers that are not goroutines
	asleep        int            // number of workers that wait for sleepers
	waker         *time.Timer    // calls wake
	toWake        int            // number of workers that wake is to wake
	woken         int            // number of workers that wake woke but that do not run yet
	spinning      int            // number of workers that look for a task without sleeping
}

// New makes a pool with the given number of jobs, whose values are zero. work
// is called by several goroutines concurrently, each with its own worker number
// below workers, for state that only one of them may use.
func New[T any](workers, jobs int, work func(worker int, v *T) error) *Pool[T] {
	p := &Pool[T]{workers: workers, work: work}
	p.jobs, p.free, p.ring = make([]*Job[T], jobs), make([]*Job[T], 0, jobs), make([]*Job[T], jobs)
	for i := range p.jobs {
		p.jobs[i] = new(Job[T])
	}
	p.helpers, p.shares, p.calls = make([]helpers[T], workers), make([]shared[T], workers), make([]*helpers[T], 0, workers)
	p.serves, p.idle = make([]func() error, workers), make([]int, 0, workers)
	for i := range workers {
		p.helpers[i].gone.L = &p.mu
		p.shares[i].init()
		p.serves[i] = func() error { return p.serve(i) }
	}
	p.producer.L, p.consumer.L, p.sleepers.L, p.finished.L = &p.mu, &p.mu, &p.mu, &p.mu
	p.produces = p.runProducer
	p.waker = newWaker(p.wake)
	p.closed = true
	return p
}

// Blocking declares that work may wait for input, so that its workers do not load a
// processor. It must be called before Start.
func (p *Pool[T]) Blocking() { p.waitsForInput = true }

// Jobs returns the number of jobs that circulate.
func (p *Pool[T]) Jobs() int { return len(p.jobs) }

// Workers returns the number of jobs that are done at the same time.
func (p *Pool[T]) Workers() int { return p.workers }

// Acquire returns a free job to the producer, and waits if there is none.
func (p *Pool[T]) Acquire() (*Job[T], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if err := p.stopped(); err != nil {
			return nil, err
		}
		if n := len(p.free) - 1; n >= 0 {
			j := p.free[n]
			p.free = p.free[:n]
			return j, nil
		}
		p.producerWaits = true
		p.wait(&p.producer)
		p.producerWaits = false
	}
}

// Submit queues a job that Acquire or Next returned.
func (p *Pool[T]) Submit(j *Job[T]) {
	p.mu.Lock()
	j.worker = -1
	j.done.Store(false)
	p.ring[p.submitted%len(p.ring)] = j
	p.submitted++
	p.unlock(p.added())
}

// Pass is like Submit, for a job that needs no work. It must precede all others of
// a run.
func (p *Pool[T]) Pass(j *Job[T]) {
	p.mu.Lock()
	j.err = nil
	j.done.Store(true)
	p.ring[p.submitted%len(p.ring)] = j
	p.submitted++
	p.begun++
	p.consumer.Signal()
	p.mu.Unlock()
}

// Next returns the next job in the order of submission, once it is done, with the error
// that work returned for it. Until then the consumer is a worker. A nil job means that
// the run has ended, with the error that says why.
func (p *Pool[T]) Next() (*Job[T], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	spun, helped, yielded := false, false, false
	for {
		if err := p.stopped(); err != nil {
			return nil, err
		}
		var j *Job[T]
		switch {
		case p.taken < p.submitted:
			// This job takes precedence. Others are begun only if it needs no help,
			// because the sooner it is done, the sooner a job becomes free.
			if j = p.ring[p.taken%len(p.ring)]; j.done.Load() {
				p.taken++
				return j, j.err
			}
			if j.worker >= 0 && !helped && p.helpers[j.worker].v != nil {
				helped = true
				p.help(p.workers-1, &p.helpers[j.worker])
				continue
			}
		case p.ended && !p.oneGoroutine:
			return nil, p.err
		}
		if p.producerWaits && len(p.free) > 0 && !yielded {
			yielded = true
			p.yield()
			continue
		}
		switch {
		case p.doTask(p.workers - 1):
			spun = false
		case !spun && p.oneGoroutine:
			spun = true
			p.spin(j)
		default:
			spun = false
			p.consumerWaits = true
			p.wait(&p.consumer)
			p.consumerWaits = false
		}
	}
}

// Ready reports whether Next returns a job without waiting for another
// goroutine: it is done, or no other goroutine is there to do it.
func (p *Pool[T]) Ready() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken < p.submitted && (p.ring[p.taken%len(p.ring)].done.Load() || p.awake() == 0)
}

// Release returns a job that Next returned to the producer.
func (p *Pool[T]) Release(j *Job[T]) {
	p.mu.Lock()
	p.free = append(p.free, j)
	p.producer.Signal()
	p.mu.Unlock()
}
