// Package ordered runs jobs on several goroutines and hands them back in the
// order in which they were submitted. The jobs are made once and circulate, so
// that a run of any length holds a fixed number of them and allocates nothing
// for each:
//
//	free → (the producer fills a job) → queue → (a worker does it) → (the consumer takes it) → free
//
// One goroutine produces and one consumes; they may be the same.
package ordered

import (
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
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
	number int64        // how many were submitted before it
	done   atomic.Bool  // the worker is through
	worker atomic.Int32 // the number of who does it, and 1; 0: nobody yet
}

// A Pool does jobs. Make it with New, and use it in runs: Start, any number of
// jobs, Close.
type Pool[T any] struct {
	workers int
	work    func(worker int, v *T) error
	jobs    []*Job[T]

	ctx      context.Context
	quit     chan struct{} // closed by Close
	group    sync.WaitGroup
	helps    bool          // the consumer is the last worker
	crowded  bool          // there are no more processors than workers
	left     time.Time     // the end of the last run
	stays    bool          // workers wait for the next one
	produced chan struct{} // closed when the producer of Start has returned
	err      error         // what Next says after the last job; set before ended

	// Of a run, job after job in its order: ring holds those that were submitted
	// and not given, and free those that were released and not acquired.
	ring, free         []*Job[T]
	submitted, begun   atomic.Int64
	released           atomic.Int64
	given, acquired    int64       // of the consumer and the producer alone
	ended              atomic.Bool // nothing will be submitted any more
	closed             atomic.Bool
	idlers             []idler      // of each worker, and of a consumer that is none
	alive              atomic.Int32 // workers that have not returned
	awake              atomic.Int32 // workers that look for something to do
	asleep             beds
	consumer, producer bell
	offers             atomic.Int64 // how often help was wanted
	crews              []crew[T]    // of each worker
	shares             []shared[T]  // likewise
}

// New makes a pool of so many jobs, whose values are zero. work is called by
// several goroutines at once, each with its own worker number below workers,
// for state that only one of them may use.
func New[T any](workers, jobs int, work func(worker int, v *T) error) *Pool[T] {
	p := &Pool[T]{
		workers: workers, work: work, jobs: make([]*Job[T], jobs), ring: make([]*Job[T], jobs), free: make([]*Job[T], jobs),
		idlers: make([]idler, workers+1), crews: make([]crew[T], workers), shares: make([]shared[T], workers),
	}
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
// If produce is nil, one goroutine is both producer and consumer. It is then
// the last worker too, as the consumer is where there are no more processors
// than workers: while Next waits it does jobs. So two workers are one more
// goroutine and not two, of which there would be more than processors.
func (p *Pool[T]) Start(ctx context.Context, produce func() error) {
	p.ctx, p.quit = ctx, make(chan struct{})
	p.reset()
	p.crowded = p.workers >= runtime.GOMAXPROCS(0)
	n := p.workers
	if p.helps = produce == nil || p.crowded; p.helps {
		n--
	}
	p.stays = time.Since(p.left) < stay
	p.group.Add(n)
	p.alive.Store(int32(n))
	for i := range n {
		if !p.idlers[i].place.CompareAndSwap(waiting, working) {
			p.idlers[i].place.Store(working)
			go p.live(i)
		}
	}
	p.produced = make(chan struct{})
	if produce == nil {
		close(p.produced)
		return
	}
	go func() {
		defer close(p.produced)
		p.end(produce())
	}()
}

// reset makes everything as it is before the first job.
func (p *Pool[T]) reset() {
	copy(p.free, p.jobs)
	p.released.Store(int64(len(p.jobs)))
	p.submitted.Store(0)
	p.begun.Store(0)
	p.given, p.acquired, p.err = 0, 0, nil
	p.ended.Store(false)
	p.closed.Store(false)
	p.awake.Store(0)
	p.asleep.reset(p.workers)
	p.consumer.reset()
	p.producer.reset()
	for i := range p.idlers {
		p.idlers[i].patience, p.idlers[i].seen = maxPatience, p.offers.Load()
	}
}

// live is one worker, for a run, and for the next ones where they follow at once.
func (p *Pool[T]) live(worker int) {
	me := &p.idlers[worker].place
	for again := true; again; {
		p.loop(worker)
		crowded := p.crowded
		if again = p.stays; again {
			me.Store(waiting)
		} else {
			me.Store(away)
		}
		p.alive.Add(-1)
		p.group.Done() // the pool is not ours any more
		again = again && (lookOut(stay, crowded, func() bool { return me.Load() == working }) || !me.CompareAndSwap(waiting, away))
	}
}

// Where a worker is.
const (
	away    int32 = iota // there is no goroutine
	working              // in a run
	waiting              // behind one
)

// stay is how long workers wait for another run behind one, if the one before
// came within that time.
const stay = 100 * time.Microsecond

// loop does jobs. A job's error travels with it, so that the earliest in the
// order of submission is the one that the consumer meets.
func (p *Pool[T]) loop(worker int) {
	for !p.closed.Load() {
		if j := p.take(); j != nil {
			p.do(worker, j)
		} else if !p.assist(worker) && !p.idle(worker) {
			return
		}
	}
}

// take gives the next job that nobody has begun.
func (p *Pool[T]) take() *Job[T] {
	for {
		n := p.begun.Load()
		if n >= p.submitted.Load() {
			return nil
		}
		if p.begun.CompareAndSwap(n, n+1) {
			return p.ring[n%int64(len(p.ring))]
		}
	}
}

// queued is the number of jobs that nobody has begun.
func (p *Pool[T]) queued() int { return int(p.submitted.Load() - p.begun.Load()) }

// do does one job.
func (p *Pool[T]) do(worker int, j *Job[T]) {
	n := j.number
	j.worker.Store(int32(worker) + 1)
	j.err = p.work(worker, &j.Value)
	j.done.Store(true) // it is the consumer's now
	p.consumer.ring(n)
}

// Acquire gives the producer a free job, and waits for one if it must.
func (p *Pool[T]) Acquire() (*Job[T], error) {
	for p.acquired == p.released.Load() {
		p.producer.set(p.acquired)
		if p.acquired < p.released.Load() {
			p.producer.unset()
			break
		}
		if err := p.sleep(p.producer.c); err != nil {
			return nil, err
		}
	}
	if err := p.over(); err != nil {
		return nil, err
	}
	j := p.free[p.acquired%int64(len(p.free))]
	p.acquired++
	return j, nil
}

// sleep waits for a bell, or for the end of the run, which is an error.
func (p *Pool[T]) sleep(bell chan struct{}) error {
	select {
	case <-bell:
		return nil
	case <-p.quit:
	case <-p.ctx.Done():
	}
	return p.over()
}

// over says why the run has ended, if it has.
func (p *Pool[T]) over() error {
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	if p.closed.Load() {
		return context.Canceled
	}
	return nil
}

// Submit queues a job that Acquire gave.
func (p *Pool[T]) Submit(j *Job[T]) {
	n := p.submitted.Load()
	j.number, j.err = n, nil
	j.done.Store(false)
	j.worker.Store(0)
	p.ring[n%int64(len(p.ring))] = j
	p.submitted.Store(n + 1)
	// A consumer that waits for this very job does it itself: so it is woken
	// alone, and not another and then the consumer.
	if !p.helps || !p.consumer.ring(n) {
		p.wake(p.queued())
	}
}

// end says that nothing will be submitted any more, and what Next gives then.
func (p *Pool[T]) end(err error) {
	if p.err = err; err == nil {
		p.err = io.EOF
	}
	p.ended.Store(true)
	p.consumer.ring(p.submitted.Load())
}

// Finish is for who produces and consumes: nothing more will be submitted. It
// may be left out. Workers go when they find nothing to do, so that Close need
// not wake them, and Next gives io.EOF behind the last job.
func (p *Pool[T]) Finish() { p.end(nil) }

// Next gives the consumer the earliest job that it has not had yet, as soon as
// it is done, with the error that work returned for it. A nil job means that
// the run has ended, with the error that says why.
func (p *Pool[T]) Next() (*Job[T], error) {
	joined := false
	for {
		if err := p.over(); err != nil {
			return nil, err
		}
		ended := p.ended.Load()
		if p.given < p.submitted.Load() {
			j := p.ring[p.given%int64(len(p.ring))]
			if j.done.Load() {
				p.given++
				return j, j.err
			}
			// This job comes before others, which are begun only where it needs no
			// help: the sooner it is done, the sooner there is a new one to submit.
			if w := int(j.worker.Load()); p.helps && w > 0 && !joined {
				if joined = p.crews[w-1].join(p.workers-1, &j.Value); joined {
					continue
				}
			}
			if p.helps && p.help() {
				continue
			}
		} else if ended {
			return nil, p.err
		}
		p.await()
	}
}

// help has the consumer work; ok is false if there is nothing to do.
func (p *Pool[T]) help() (ok bool) {
	worker := p.workers - 1
	if j := p.take(); j != nil {
		p.do(worker, j)
		return true
	}
	return p.assist(worker)
}

// Ready tells whether Next would give a job without waiting for a worker.
func (p *Pool[T]) Ready() bool {
	return p.given < p.submitted.Load() && p.ring[p.given%int64(len(p.ring))].done.Load()
}

// Release puts a job back that Next gave.
func (p *Pool[T]) Release(j *Job[T]) {
	n := p.released.Load()
	p.free[n%int64(len(p.free))] = j
	p.released.Store(n + 1)
	if p.producer.ring(n) && p.crowded {
		runtime.Gosched() // the producer has no other processor
	}
}

// Close ends the run and returns when no worker is left, save those that wait for
// a while where the last run came within stay of the one before. The jobs belong to
// the caller then, unless the producer of Start is still under way: see Produced.
func (p *Pool[T]) Close() {
	if p.closed.Swap(true) {
		return
	}
	close(p.quit)
	lookOut(maxPatience, p.crowded, func() bool { return p.alive.Load() == 0 })
	p.group.Wait()
	p.left = time.Now()
}

// Produced is closed when the producer of the last Start has returned. One that
// is blocked outside the pool keeps it open after Close; until it is closed the
// pool must not be started again, nor the values of its jobs used.
func (p *Pool[T]) Produced() <-chan struct{} { return p.produced }
