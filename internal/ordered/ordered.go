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
	"math"
	"sync"
	"sync/atomic"
	"time"

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

	// Who is called comes, does what there is to do, and sleeps when there is
	// nothing left.
	bell   *time.Timer  // calls workers
	mu     sync.Mutex   // held to change what follows
	awake  atomic.Int32 // workers who were called and do not sleep again
	busy   atomic.Int32 // of those, who do something
	called int          // of the others, who have not come yet
	begun  int          // goroutines
	asleep int          // of those, who wait for wake
	closed bool         // nobody comes any more
	wake   chan struct{}

	help   chan call[T] // to who is idle
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
		p.jobs[i] = &Job[T]{done: make(chan struct{}, 1)}
	}
	p.free, p.queue = make(chan *Job[T], jobs), make(chan *Job[T], jobs)
	p.help, p.wake = make(chan call[T], workers), make(chan struct{}, workers)
	p.bell = time.AfterFunc(math.MaxInt64, p.ring)
	p.bell.Stop()
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
	drain(p.free)
	drain(p.queue)
	drain(p.help)
	drain(p.wake)
	p.order = make(chan *Job[T], len(p.jobs))
	p.head, p.err = nil, nil
	for _, j := range p.jobs {
		drain(j.done)
		p.free <- j
	}
	p.mu.Lock()
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	p.helps = produce == nil
	p.group = new(errgroup.Group)
	p.called, p.begun, p.asleep, p.closed = 0, 0, 0, false
	p.awake.Store(0)
	p.busy.Store(0)
	p.mu.Unlock()
	if p.helps {
		p.hire(1) // who is there then when the first job is
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

// drain empties a channel that nobody else uses.
func drain[E any](c chan E) {
	for len(c) > 0 {
		<-c
	}
}

// hands gives the number of workers that are goroutines of their own.
func (p *Pool[T]) hands() int {
	if p.helps {
		return p.workers - 1
	}
	return p.workers
}

// tasks gives the number of things to do that nobody does yet.
func (p *Pool[T]) tasks() int { return len(p.queue) + len(p.help) }

// hire calls a worker, if one is asleep and those who look for something to do
// are fewer than tasks.
//
// It does so by way of a timer, because the runtime (Go 1.26) leaves what go
// starts or a channel wakes to the processor that did it: another one that is
// idle takes it (runqgrab, runnext) behind a sleep of 3 µs that lasts 70 on
// Linux. A timer that is due it takes at once, and what that starts is its own:
// measured, a worker came after 4 to 10 µs instead of 72 to 84.
func (p *Pool[T]) hire(tasks int) {
	p.mu.Lock()
	awake := int(p.awake.Load())
	ok := !p.closed && awake < p.hands() && awake-int(p.busy.Load()) < tasks
	if ok {
		p.awake.Add(1)
		p.called++
	}
	p.mu.Unlock()
	if ok {
		p.bell.Reset(0)
	}
}

// ring has those come who were called.
func (p *Pool[T]) ring() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for ; p.called > 0; p.called-- {
		if p.asleep > 0 {
			p.asleep--
			p.wake <- struct{}{}
			continue
		}
		worker := p.begun // once ctx has ended perhaps a number too high, which it never uses then
		p.begun++
		p.group.Go(func() error { return p.serve(worker) })
	}
}

// looks is how often who has nothing to do looks whether there is something,
// before he sleeps: for some 30 µs, as long as it would take to come again.
const looks = 1 << 13

// serve is one worker.
func (p *Pool[T]) serve(worker int) error {
	for {
		for n := looks; n > 0 && p.ctx.Err() == nil; n-- {
			switch {
			case p.tasks() > 0:
				p.busy.Add(1)
				p.some(worker)
				p.busy.Add(-1)
				n = looks
			case !p.helps:
				n = 1 // there are more goroutines than processors
			}
		}
		if p.ctx.Err() != nil {
			p.awake.Add(-1)
			return nil
		}
		p.mu.Lock()
		p.asleep++
		p.awake.Add(-1)
		p.mu.Unlock()
		p.hire(p.tasks()) // who brought something since found somebody looking, perhaps
		select {
		case <-p.wake:
		case <-p.ctx.Done():
			return nil
		}
	}
}

// some does one of the tasks, if there is one still.
func (p *Pool[T]) some(worker int) {
	select {
	case j := <-p.queue:
		p.do(worker, j)
	case c := <-p.help:
		c.crew.join(worker, c.v)
	default:
	}
}

// do does one job. Its error travels with it, so that the earliest in the order
// of submission is the one that the consumer meets.
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
	p.hire(p.tasks())
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
	help, joined := p.help, false
	if !p.helps {
		help = nil
	}
	for n := looks; ; n-- {
		// This job comes before others, which are begun only where it needs no
		// help: the sooner it is done, the sooner there is a new one to submit.
		if len(j.done) > 0 {
			<-j.done
			return j, j.err
		}
		if p.helps && n > 0 && p.ctx.Err() == nil {
			if !joined {
				joined = p.join(j)
			}
			if p.tasks() > 0 {
				p.some(p.workers - 1)
				n = looks
			}
			continue
		}
		select {
		case <-j.done:
			return j, j.err
		case c := <-help:
			c.crew.join(p.workers-1, c.v)
			n = looks
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
	p.mu.Lock()
	p.closed = true
	p.awake.Add(-int32(p.called))
	p.called = 0
	p.mu.Unlock()
	p.bell.Stop()
	p.cancel(context.Canceled)
	for n := looks; n > 0 && p.awake.Load() > 0; n-- { // who looks sees it, sooner than Wait could sleep
	}
	p.group.Wait() // workers return nil
}

// Produced is closed when the producer of the last Start has returned. One that
// is blocked outside the pool keeps it open after Close; until it is closed the
// pool must not be started again, nor the values of its jobs used.
func (p *Pool[T]) Produced() <-chan struct{} { return p.produced }
