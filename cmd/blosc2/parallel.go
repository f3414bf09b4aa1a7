package main

import (
	"io/fs"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2/stream"
)

// Several small files are processed at a time, one per goroutine; large files are
// processed one after another by all processors.
const (
	smallWorker = 8   // files per additional goroutine
	queueLen    = 256 // files in the queue before it is processed and failures are reported
)

// A waiting input is queued or being processed.
type waiting struct {
	name, below string
	to          dest
	before      fs.FileInfo // the input's state when it was opened, if it is to be removed
	small       bool
	rest        func(to dest) (stream.Stats, error) // as returned by an opener; nil unless the input is open
	done        stream.Stats
	err         error
}

// queues reports whether an input may be processed together with others.
func (b *batch) queues(e *env, name string) bool {
	return b.many && !b.joins && !e.verbose && b.Out != "-" && name != "-" && !isURL(name) && filepath.Ext(name) != npzSuffix
}

// flush processes the queued inputs, and counts and reports the results in order.
// An input that is not small waits until all earlier ones are done.
func (b *batch) flush(e *env) {
	for queue := b.queue; len(queue) > 0; {
		taken := queue[:b.take(e, queue)]
		for i := range taken {
			b.finish(&taken[i])
			b.record(e, &taken[i])
		}
		queue = queue[len(taken):]
	}
	b.queue = b.queue[:0]
}

// take processes inputs from the beginning of the queue. It stops at an input that is
// not small, which it opens but does not process. It returns the number of inputs
// taken.
func (b *batch) take(e *env, queue []waiting) int {
	var next atomic.Int64
	var large atomic.Bool
	work := func(open opener) {
		for !large.Load() {
			i := next.Add(1) - 1
			if i >= int64(len(queue)) {
				return
			}
			w := &queue[i]
			if b.open(e, open, w); w.rest != nil && !w.small {
				large.Store(true)
				return
			}
			b.finish(w)
		}
	}
	var group sync.WaitGroup
	for i := 1; i < min(b.atATime(), len(queue)/smallWorker); i++ {
		open := b.opener(i)
		group.Go(func() { work(open) })
	}
	work(b.opener(0))
	group.Wait()
	return min(int(next.Load()), len(queue))
}

// opener returns an opener for one goroutine.
func (b *batch) opener(i int) opener {
	for len(b.workers) <= i {
		b.workers = append(b.workers, b.worker())
	}
	return b.workers[i]
}

func (b *batch) atATime() int {
	if b.jobs > 0 {
		return b.jobs
	}
	return min(runtime.GOMAXPROCS(0), mostJobs)
}
