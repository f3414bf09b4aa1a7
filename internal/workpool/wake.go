package workpool

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// This file makes workers start sooner, and nothing else depends on it: without it
// Submit and CallHelp would call wake with the mutex held, and Next and doTasks would
// wait instead of spinning. Each part exists because of the behaviour of Go 1.26 on
// Linux. Delete
//
//   - the timer, when BenchmarkWake/direct takes no more than twice as long as
//     BenchmarkWake/timer on an idle machine;
//   - spin, when BenchmarkSmallRead and BenchmarkSmallWrite of package stream,
//     with spins set to 0, are within 5 %, and TestAllocReset there passes as
//     often: without it workers sleep, and are started, more often;
//   - spinWhile, when BenchmarkOneChunk of package stream is as fast without it;
//   - growStack, when BenchmarkSmallRead is as fast without it.

// load counts, for all pools of the process, the workers that do not sleep and the
// consumers that do a job. If it reaches the number of processors no more workers are
// woken, and if it is larger none spins. So many concurrent streams cost no more
// processor time than they would with one worker each, because their callers do the
// work.
var load atomic.Int32

// addLoad adds n workers of the pool, or removes them if n is negative.
func (p *Pool[T]) addLoad(n int) {
	if !p.waitsForInput {
		load.Add(int32(n))
	}
}

// addConsumerLoad is addLoad if worker is the consumer, and does nothing for other
// workers, which are counted until they sleep or end.
func (p *Pool[T]) addConsumerLoad(worker, n int) {
	if worker == p.workers-1 {
		p.addLoad(n)
	}
}

// crowded reports whether load exceeds the number of processors by more than spare.
func (p *Pool[T]) crowded(spare int32) bool {
	return !p.waitsForInput && load.Load() > p.processors+spare
}

// added counts a new task, and finds a goroutine to do it: the consumer if it waits, or
// a worker, which unlock then wakes. p.mu must be held.
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

// unlock unlocks p.mu, and starts the timer if workers are to be woken.
func (p *Pool[T]) unlock(wake bool) {
	p.mu.Unlock()
	if wake {
		p.waker.Reset(0)
	}
}

// newWaker makes the timer that calls wake.
//
// It is a timer, because the runtime leaves a goroutine that a go statement starts
// or a Cond wakes to the same processor: an idle processor takes it (runqgrab,
// runnext) only after a sleep of 3 µs, which lasts 70 µs on Linux. But an idle
// processor runs an expired timer immediately, and runs what that starts. As
// measured, a worker starts after 4 to 10 µs instead of 72 to 84 µs.
func newWaker(wake func()) *time.Timer {
	waker := time.AfterFunc(math.MaxInt64, wake)
	waker.Stop()
	return waker
}

// wake wakes or starts toWake workers.
func (p *Pool[T]) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped() != nil { // the workers that slept have returned
		p.addLoad(-p.toWake)
		p.toWake = 0
	}
	for ; p.toWake > 0; p.toWake-- {
		if p.asleep == p.woken {
			p.watch()
			p.asleep++
			last := len(p.idle) - 1
			p.group.Go(p.serves[p.idle[last]])
			p.idle = p.idle[:last]
		}
		p.woken++
		p.sleepers.Signal()
	}
}

// spins is how often a worker looks for a task before it sleeps or ends: for about 30 µs,
// about as long as waking it takes (BenchmarkWake). A quarter and four times as many
// are within 4 % in BenchmarkShortStream of package stream.
const spins = 1 << 13

// spin waits a short time for a task, or for j to be done. p.mu must be held, and is unlocked
// meanwhile.
func (p *Pool[T]) spin(j *Job[T]) {
	p.mu.Unlock()
	defer p.mu.Lock()
	for n := spins; n > 0 && p.tasks.Load() == 0 && (j == nil || !j.done.Load()); n-- {
		if n%64 == 0 && p.crowded(0) {
			return
		}
	}
}

// spinWhile waits a short time for count to become 0: helpers begin their last part before the
// worker that they help has done its own. p.mu must be held, and is unlocked meanwhile.
func (p *Pool[T]) spinWhile(count *atomic.Int32) {
	p.mu.Unlock()
	defer p.mu.Lock()
	for n := spins; n > 0 && count.Load() > 0; n-- {
		if n%64 == 0 && p.crowded(0) {
			return
		}
	}
}

// yield lets a woken producer run before the consumer does a job. Otherwise it would
// wait for that job, because a goroutine that a Cond wakes stays on the same processor.
func (p *Pool[T]) yield() {
	p.mu.Unlock()
	defer p.mu.Lock()
	runtime.Gosched()
}
