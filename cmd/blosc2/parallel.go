package main

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2/stream"
)

// Small files are worked on several at a time, large ones one after the other
// by all processors.
const (
	smallInput  = 256 << 10
	smallGroup  = 256 // files, after which failures are reported
	smallWorker = 8   // files that are worth another goroutine
)

// A waiting input is a small file that waits for others.
type waiting struct {
	name, below string
	done        stream.Stats
	err         error
}

// isSmall reports whether an input can be worked on while others are.
func (b *batch) isSmall(e *env, name string) bool {
	if b.jobs == 1 || !b.many || b.joins || e.verbose || b.Out == "-" || name == "-" || filepath.Ext(name) == npzSuffix {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() <= smallInput
}

// flush works on the files that wait. What comes of them is counted and reported
// in their order.
func (b *batch) flush(e *env) {
	var next atomic.Int64
	work := func() {
		do := b.worker()
		for {
			i := next.Add(1) - 1
			if i >= int64(len(b.queue)) {
				return
			}
			w := &b.queue[i]
			w.done, w.err = b.work(e, do, w.name, w.below)
		}
	}
	var group sync.WaitGroup
	for range min(b.workers(), len(b.queue)/smallWorker) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	for _, w := range b.queue {
		b.record(e, w.name, w.done, w.err)
	}
	b.queue = b.queue[:0]
}

func (b *batch) workers() int {
	if b.jobs > 0 {
		return b.jobs
	}
	return min(runtime.GOMAXPROCS(0), mostJobs)
}
