package workpool

import "github.com/seed03b80dae/blosc2"

// A panic of work, do or produce becomes an error, a *blosc2.PanicError, so that a
// run can be ended in order. For a job it is the error of the job; for a job with
// helpers, EndHelp panics with it. Only the functions in this file call work, do
// and produce.

// Raise panics with err if err is the panic of a goroutine of a Pool. Call it after Close.
func Raise(err error) {
	if e, ok := err.(*blosc2.PanicError); ok {
		panic(e)
	}
}

// caught calls f and returns its panic.
func caught(f func()) (err error) {
	returned := false
	defer func() {
		if !returned {
			err = blosc2.NewPanicError(recover())
		}
	}()
	f()
	returned = true
	return nil
}

// do does a job. mu must not be held. The error is stored in the job, so the consumer
// gets the earliest one in the order of submission.
func (p *Pool[T]) do(worker int, j *Job[T]) {
	p.addConsumerLoad(worker, 1)
	p.mu.Unlock()
	returned := false
	defer func() {
		if !returned {
			j.err = blosc2.NewPanicError(recover())
			p.endHelp(worker) // helpers must not use the job after this
		}
		p.mu.Lock()
		p.addConsumerLoad(worker, -1)
		j.done.Store(true)
		if p.consumerWaits && j == p.ring[p.taken%len(p.ring)] {
			p.consumer.Signal()
		}
	}()
	j.err = p.work(worker, &j.Value)
	returned = true
}

// help makes a worker help where it was called. mu must not be held.
func (p *Pool[T]) help(worker int, c *helpers[T]) {
	v, do := c.v, c.do
	c.helping++
	p.addConsumerLoad(worker, 1)
	p.mu.Unlock()
	returned := false
	defer func() {
		var failed *blosc2.PanicError
		if !returned {
			failed = blosc2.NewPanicError(recover())
		}
		p.mu.Lock()
		p.addConsumerLoad(worker, -1)
		if c.failed == nil {
			c.failed = failed
		}
		if c.helping--; c.helping == 0 {
			c.gone.Signal()
		}
	}()
	do(worker, v)
	returned = true
}

// runProducer is the goroutine of produce.
func (p *Pool[T]) runProducer() {
	growStack()
	var err error
	returned := false
	defer func() {
		if !returned {
			err = blosc2.NewPanicError(recover())
		}
		p.mu.Lock()
		if p.ended = true; err != nil {
			p.err = err
		}
		p.consumer.Signal()
		p.finished.Broadcast()
		p.mu.Unlock()
	}()
	err = p.produce()
	returned = true
}
