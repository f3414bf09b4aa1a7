// Package ordered runs jobs on several goroutines and hands them back in the
// order in which they were submitted. The jobs are made once and circulate, so
// that a run of any length holds a fixed number of them and allocates nothing
// for each:
//
//	free → (the producer fills a job) → queue → (a worker does it) → order → (the consumer takes it) → free
//
// One goroutine produces and one consumes; they may be the same.
package ordered

import (
	"context"
	"io"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Spare is the number of jobs beyond one for each worker that keep all of them
// busy: one that is being filled, and one that is being consumed. Where one
// goroutine does both, which Next has work as well, one will do.
const Spare = 2

// A Job carries a value through the pool. Who holds the job may use the value:
// the producer from Acquire to Submit, a worker, the consumer from Next to
// Release.
type Job[T any] struct {
	Value T

	err    error
	done   chan struct{} // one token when the worker is through
	worker atomic.Int32  // the number of who does it, and 1; 0: nobody yet
}

// A Pool does jobs. Make it with New, and use it in runs: Start, any number of
// jobs, Close.
type Pool[T any] struct {
	workers int
	work    func(worker int, v *T) error
	jobs    []*Job[T]

	ctx      context.Context
	cancel   context.CancelCauseFunc
	group    *errgroup.Group
	helps    bool          // the consumer is the last worker
	produced chan struct{} // closed when the producer of Start has returned
	err      error         // what Next says after the last job; set before order is closed

	free, queue, order chan *Job[T]
	head               *Job[T] // taken off order by Ready, and not given by Next yet

	help   chan call[T] // to workers that are idle
	crews  []crew[T]    // of each worker
	shares []shared[T]  // likewise
}

// New makes a pool of so many jobs, whose values are zero. work is called by
// several goroutines at once, each with its own worker number below workers,
// for state that only one of them may use.
func New[T any](workers, jobs int, work func(worker int, v *T) error) *Pool[T] {
	p := &Pool[T]{workers: workers, work: work, jobs: make([]*Job[T], jobs), crews: make([]crew[T], workers), shares: make([]shared[T], workers)}
	for i := range p.shares {
		p.shares[i].init()
	}
	for i := range p.jobs {
		p.jobs[i] = new(Job[T])
	}
	return p
}

// Jobs gives the number of jobs that circulate.
func (p *Pool[T]) Jobs() int { return len(p.jobs) }

// Workers gives the number of jobs that are worked on at the same time.
func (p *Pool[T]) Workers() int { return p.workers }

// Start begins a run. The values of the jobs stay as the last run left them.
// When ctx is cancelled, Acquire and Next give context.Cause(ctx).
//
// If produce is not nil it runs in a goroutine of its own as the producer of
// the run: it calls Acquire and Submit, and when it returns, Next gives its
// error, or io.EOF if that is nil, behind the last job it submitted.
//
// If produce is nil, one goroutine is both producer and consumer, and the last
// worker: while Next waits it does jobs. So two workers are one more goroutine
// and not two, of which there would be more than processors.
func (p *Pool[T]) Start(ctx context.Context, produce func() error) {
	n := len(p.jobs)
	p.free, p.queue, p.order = make(chan *Job[T], n), make(chan *Job[T], n), make(chan *Job[T], n)
	p.help = make(chan call[T])
	p.head, p.err = nil, nil
	for _, j := range p.jobs {
		j.done = make(chan struct{}, 1)
		p.free <- j
	}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	p.group = new(errgroup.Group)
	n = p.workers
	if p.helps = produce == nil; p.helps {
		n--
	}
	for i := range n {
		p.group.Go(func() error { return p.loop(i) })
	}
	p.produced = make(chan struct{})
	if produce == nil {
		close(p.produced)
		return
	}
	go func() {
		defer close(p.produced)
		if p.err = produce(); p.err == nil {
			p.err = io.EOF
		}
		close(p.order)
	}()
}

// loop is one worker. A job's error travels with it, so that the earliest in
// the order of submission is the one that the consumer meets.
func (p *Pool[T]) loop(worker int) error {
	for {
		select {
		case j := <-p.queue:
			p.do(worker, j)
		case c := <-p.help:
			c.assist(worker)
		case <-p.ctx.Done():
			return nil
		}
	}
}

// do does one job.
func (p *Pool[T]) do(worker int, j *Job[T]) {
	j.worker.Store(int32(worker) + 1)
	j.err = p.work(worker, &j.Value)
	j.done <- struct{}{}
}

// Acquire gives the producer a free job, and waits for one if it must.
func (p *Pool[T]) Acquire() (*Job[T], error) {
	select {
	case j := <-p.free:
		return j, nil
	case <-p.ctx.Done():
		return nil, context.Cause(p.ctx)
	}
}

// Submit queues a job that Acquire gave.
func (p *Pool[T]) Submit(j *Job[T]) {
	j.worker.Store(0)
	p.order <- j // neither blocks: both hold all the jobs there are
	p.queue <- j
}

// Next gives the consumer the earliest job that it has not had yet, as soon as
// it is done, with the error that work returned for it. A nil job means that
// the run has ended, with the error that says why.
func (p *Pool[T]) Next() (*Job[T], error) {
	j := p.head
	p.head = nil
	if j == nil {
		var ok bool
		select {
		case j, ok = <-p.order:
			if !ok {
				return nil, p.err
			}
		case <-p.ctx.Done():
			return nil, context.Cause(p.ctx)
		}
	}
	queue, help, joined := p.queue, p.help, false
	if !p.helps {
		queue, help = nil, nil
	}
	for {
		// This job comes before others, which are begun only where it needs no
		// help: the sooner it is done, the sooner there is a new one to submit.
		if len(j.done) > 0 {
			<-j.done
			return j, j.err
		}
		if w := int(j.worker.Load()); p.helps && w > 0 && !joined {
			if joined = p.crews[w-1].join(p.workers-1, &j.Value); joined {
				continue
			}
		}
		select {
		case <-j.done:
			return j, j.err
		case k := <-queue:
			p.do(p.workers-1, k)
		case c := <-help:
			c.assist(p.workers - 1)
		case <-p.ctx.Done():
			return nil, context.Cause(p.ctx)
		}
	}
}

// Ready tells whether Next would give a job without waiting for a worker.
func (p *Pool[T]) Ready() bool {
	if p.head == nil {
		select {
		case j, ok := <-p.order:
			if !ok {
				return false
			}
			p.head = j
		default:
			return false
		}
	}
	return len(p.head.done) > 0
}

// Release puts a job back that Next gave.
func (p *Pool[T]) Release(j *Job[T]) { p.free <- j }

// Close ends the run and returns when no worker is left. The jobs belong to the
// caller then, unless the producer of Start is still under way: see Produced.
func (p *Pool[T]) Close() {
	p.cancel(context.Canceled)
	p.group.Wait() // workers return nil
}

// Produced is closed when the producer of the last Start has returned. One that
// is blocked outside the pool keeps it open after Close; until it is closed the
// pool must not be started again, nor the values of its jobs used.
func (p *Pool[T]) Produced() <-chan struct{} { return p.produced }
