package ordered

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// Workers sleep until there is a task for them, which is a job or a call for
// help, and look for the next one for a short time before they sleep again.

// atWork is the load of all pools of the process: their workers that do not
// sleep, and their consumers while they do a job. No more workers are woken when
// it is as large as the number of processors, and none looks for a task when it
// is larger. So a great many streams at a time cost no more processor time than
// with one worker each: their callers do the work.
var atWork atomic.Int32

// enter and leave count n workers of the pool in and out of atWork.
func (p *Pool[T]) enter(n int) {
	if !p.blocks {
		atWork.Add(int32(n))
	}
}

func (p *Pool[T]) leave(n int) { p.enter(-n) }

// crowded reports whether there are more than spare goroutines at work beyond
// the processors.
func (p *Pool[T]) crowded(spare int32) bool { return !p.blocks && atWork.Load() > p.limit+spare }

// awake returns the number of workers that do not sleep. p.mu is held, as it is
// in all that follows but look.
func (p *Pool[T]) awake() int { return p.called + p.coming + p.started - p.asleep }

// add counts a task that was added, and finds a goroutine to do it: the
// consumer if it waits, or a worker. The caller must Reset the bell if ring is
// true, which needs no lock.
func (p *Pool[T]) add() (ring bool) {
	n := int(p.tasks.Add(1)) - p.called - p.coming - p.looking
	if n > 0 && p.waiting {
		p.consumer.Signal()
		n--
	}
	if n <= 0 || p.awake() >= p.most || p.closed || p.crowded(-1) {
		return false
	}
	p.enter(1)
	p.called++
	return true
}

// newBell makes the timer that wakes workers by way of wake.
//
// It is a timer, because the runtime (Go 1.26) leaves what a go statement starts
// or a Cond wakes to the processor that did it: another one that is idle takes
// it (runqgrab, runnext) after a sleep of 3 µs that lasts 70 on Linux. A timer
// that is due it takes at once, and what that starts is its own: measured, a
// worker came after 4 to 10 µs instead of 72 to 84. Without that gain in
// BenchmarkWake, the goroutine that adds a task could as well call wake itself.
func newBell(wake func()) *time.Timer {
	bell := time.AfterFunc(math.MaxInt64, wake)
	bell.Stop()
	return bell
}

// wake wakes or starts the workers that were called.
func (p *Pool[T]) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over() != nil { // and those that slept have returned
		p.leave(p.called)
		p.called = 0
	}
	for ; p.called > 0; p.called-- {
		if p.asleep == p.coming {
			p.watch()
			p.asleep++
			p.group.Go(p.serving[p.started])
			p.started++
		}
		p.coming++
		p.sleeper.Signal()
	}
}

// serve is a worker. It begins asleep, with mu not held.
func (p *Pool[T]) serve(worker int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		for p.coming == 0 && p.over() == nil {
			p.sleeper.Wait()
		}
		p.asleep--
		if p.coming == 0 {
			return nil
		}
		p.coming--
		p.attend(worker)
		p.asleep++
	}
}

// attend does tasks until there are no more. A goroutine that a task exits does
// not return from it: that worker does no more in this run.
func (p *Pool[T]) attend(worker int) {
	defer p.leave(1)
	looked := false
	for p.over() == nil {
		switch {
		case p.some(worker):
			looked = false
		case looked || !p.alone || p.waiting: // another goroutine waits for this processor
			return
		default:
			looked = true
			p.looking++
			p.look(nil)
			p.looking--
		}
	}
}

// looks is how often a worker looks for a task before it sleeps: for some 30 µs,
// as long as it would take to come again.
const looks = 1 << 13

// look waits a short time for a task, or for j to be done, with mu not held.
func (p *Pool[T]) look(j *Job[T]) {
	p.mu.Unlock()
	defer p.mu.Lock()
	for n := looks; n > 0 && p.tasks.Load() == 0 && (j == nil || !j.done.Load()); n-- {
		if n%64 == 0 && p.crowded(0) {
			return
		}
	}
}

// yield lets a producer run that was woken, before the consumer does a job: it
// would wait for that, because what a Cond wakes stays on the same processor.
func (p *Pool[T]) yield() {
	p.mu.Unlock()
	defer p.mu.Lock()
	runtime.Gosched()
}

// some does one of the tasks, if there is one.
func (p *Pool[T]) some(worker int) bool {
	if p.begun < p.last {
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

// count counts the consumer in atWork, where workers are until they sleep.
func (p *Pool[T]) count(worker, n int) {
	if worker == p.workers-1 {
		p.enter(n)
	}
}
