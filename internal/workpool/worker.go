package workpool

// A worker is a goroutine that does tasks, which are jobs and calls for help. If there are
// none it sleeps, or ends while a run is short. The last worker is the consumer, while it
// waits.

// serve runs a worker, which begins asleep. p.mu must not be held.
func (p *Pool[T]) serve(worker int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for grown := false; ; grown = true {
		for p.woken == 0 && p.stopped() == nil {
			p.sleepers.Wait()
		}
		p.asleep--
		if p.woken == 0 {
			break
		}
		p.woken--
		if !grown {
			GrowStack()
		}
		p.doTasks(worker)
		if p.oneGoroutine && p.submitted <= shortRun {
			break
		}
		p.asleep++
	}
	p.idle = append(p.idle, worker)
	return nil
}

// shortRun is the number of jobs up to which a worker without a task ends, because Close
// takes 20 µs to wake one that sleeps: a tenth of the time of a run of a single chunk. In a long
// run a worker sleeps, because starting one allocates memory. With a separate producer it has
// no task more often, so it always sleeps.
const shortRun = 8

// doTasks does tasks until there are no more. It does not return if a task calls
// runtime.Goexit: that worker does no more in this run.
func (p *Pool[T]) doTasks(worker int) {
	defer p.addLoad(-1)
	spun := false
	for p.stopped() == nil {
		switch {
		case p.doTask(worker):
			spun = false
		case spun || !p.oneGoroutine || p.consumerWaits: // let another goroutine that waits for this processor run
			return
		default:
			spun = true
			p.spinning++
			p.spin(nil)
			p.spinning--
		}
	}
}

// doTask does one of the tasks, if there is one. p.mu must be held.
func (p *Pool[T]) doTask(worker int) bool {
	if p.begun < p.submitted {
		j := p.ring[p.begun%len(p.ring)]
		p.begun++
		p.tasks.Add(-1)
		j.worker = worker
		p.do(worker, j)
		return true
	}
	if n := len(p.calls) - 1; n >= 0 {
		c := p.calls[n]
		p.calls = p.calls[:n]
		p.tasks.Add(-1)
		p.help(worker, c)
		return true
	}
	return false
}

// awake returns the number of workers that neither sleep nor have ended. p.mu must be held.
func (p *Pool[T]) awake() int { return p.toWake + p.woken + p.workers - 1 - len(p.idle) - p.asleep }
