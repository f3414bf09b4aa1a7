package workpool

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// This file is about how soon a worker comes, and nothing else depends on how:
// without it Submit and CallHelp would call wake with the mutex held, and Next
// and doTasks wait where they spin. Each part is here for what Go 1.26 does on
// Linux. To be deleted:
//
//   - the timer, when BenchmarkWake/direct takes no more than twice as long as
//     BenchmarkWake/timer on an idle machine;
//   - spin, when BenchmarkSmallRead and BenchmarkSmallWrite of package stream,
//     with spins set to 0, are within 5 %;
//   - growStack, when BenchmarkSmallRead is without it.

// load is that of all pools of the process: their workers that do not sleep, and
// their consumers while they do a job. No more workers are woken when it is as
// large as the number of processors, and none spins when it is larger. So a
// great many streams at a time cost no more processor time than with one worker
// each: their callers do the work.
var load atomic.Int32

// addLoad counts n workers of the pool in, or out.
func (p *Pool[T]) addLoad(n int) {
	if !p.waitsForInput {
		load.Add(int32(n))
	}
}

// addConsumerLoad does so if worker is the consumer: others are counted until
// they sleep.
func (p *Pool[T]) addConsumerLoad(worker, n int) {
	if worker == p.workers-1 {
		p.addLoad(n)
	}
}

// crowded reports whether there are more than spare goroutines at work beyond
// the processors.
func (p *Pool[T]) crowded(spare int32) bool {
	return !p.waitsForInput && load.Load() > p.processors+spare
}

// added counts a task that was added, and finds a goroutine to do it: the
// consumer if it waits, or a worker, which unlock then wakes. p.mu is held.
func (p *Pool[T]) added() (wake bool) {
	n := int(p.tasks.Add(1)) - p.toWake - p.woken - p.spinning
	if n > 0 && p.consumerWaits {
		p.consumer.Signal()
		n--
	}
	if n <= 0 || p.awake() >= p.goroutines || p.closed || p.crowded(-1) {
		return false
	}
	p.addLoad(1)
	p.toWake++
	return true
}

// unlock unlocks p.mu, and has a worker woken.
func (p *Pool[T]) unlock(wake bool) {
	p.mu.Unlock()
	if wake {
		p.waker.Reset(0)
	}
}

// newWaker makes the timer that calls wake.
//
// It is a timer, because the runtime leaves what a go statement starts or a Cond
// wakes to the processor that did it: another one that is idle takes it
// (runqgrab, runnext) after a sleep of 3 µs that lasts 70 on Linux. A timer that
// is due it takes at once, and what that starts is its own: measured, a worker
// came after 4 to 10 µs instead of 72 to 84.
func newWaker(wake func()) *time.Timer {
	waker := time.AfterFunc(math.MaxInt64, wake)
	waker.Stop()
	return waker
}

// wake wakes or starts toWake workers.
func (p *Pool[T]) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped() != nil { // and those that slept have returned
		p.addLoad(-p.toWake)
		p.toWake = 0
	}
	for ; p.toWake > 0; p.toWake-- {
		if p.asleep == p.woken {
			p.watch()
			p.asleep++
			p.group.Go(p.serves[p.started])
			p.started++
		}
		p.woken++
		p.sleepers.Signal()
	}
}

// spins is how often a worker looks for a task before it sleeps: for some 30 µs,
// as long as it would take to come again.
const spins = 1 << 13

// spin waits a short time for a task, or for j to be done, with mu not held.
func (p *Pool[T]) spin(j *Job[T]) {
	p.mu.Unlock()
	defer p.mu.Lock()
	for n := spins; n > 0 && p.tasks.Load() == 0 && (j == nil || !j.done.Load()); n-- {
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

// growStack has the stack of a new goroutine grow once, while it is empty,
// instead of step by step in the middle of its work: it begins with 2 KiB, and
// a producer needs some 5. That is half the time of a short run.
//
//go:noinline
func growStack() byte {
	var b [5 << 10]byte
	return b[touch&1]
}

var touch int
