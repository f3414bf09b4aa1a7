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

// caught calls f and sets err to its error, or to its panic. If f ends the goroutine, err
// is set before the deferred functions of the caller run.
func caught(err *error, f func() error) {
	returned := false
	defer func() {
		if !returned {
			*err = blosc2.NewPanicError(recover())
		}
	}()
	*err = f()
	returned = true
}

// do does a job. mu must not be held. The error is stored in the job, so the consumer
// gets the earliest one in the order of submission.
func (p *Pool[T]) do(worker int, j *Job[T]) {
	p.addConsumerLoad(worker, 1)
	p.mu.Unlock()
	defer func() {
		if _, panicked := j.err.(*blosc2.PanicError); panicked {
			p.endHelp(worker) // helpers must not use the job after this
		}
		p.mu.Lock()
		p.addConsumerLoad(worker, -1)
		j.done.Store(true)
		if p.consumerWaits && j == p.ring[p.taken%len(p.ring)] {
			p.consumer.Signal()
		}
	}()
	caught(&j.err, func() error { return p.work(worker, &j.Value) })
}

// help makes a worker help where it was called. mu must not be held.
func (p *Pool[T]) help(worker int, c *helpers[T]) {
	v, do := c.v, c.do
	c.helping.Add(1)
	p.addConsumerLoad(worker, 1)
	p.mu.Unlock()
	var failed error
	defer func() {
		p.mu.Lock()
		p.addConsumerLoad(worker, -1)
		if c.failed == nil {
			c.failed = failed
		}
		if c.helping.Add(-1) == 0 {
			c.gone.Signal()
		}
	}()
	caught(&failed, func() error {
		do(worker, v)
		return nil
	})
}

// runProducer is the goroutine of produce.
func (p *Pool[T]) runProducer() {
	growStack()
	var err error
	defer func() {
		p.mu.Lock()
		if p.ended = true; err != nil {
			p.err = err
		}
		p.consumer.Signal()
		p.finished.Broadcast()
		p.mu.Unlock()
	}()
	caught(&err, p.produce)
}
