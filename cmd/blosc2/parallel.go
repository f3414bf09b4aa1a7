package main

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2/stream"
)

// Several small files are processed at a time, one per goroutine; large files are
// processed one after another by all processors.
const (
	smallInput  = 256 << 10
	smallGroup  = 256 // files, after which failures are reported
	smallWorker = 8   // files per additional goroutine
)

// A waiting is a queued small file.
type waiting struct {
	name, below string
	done        stream.Stats
	err         error
}

// isSmall reports whether an input can be processed together with others.
func (b *batch) isSmall(e *env, name string) bool {
	if b.jobs == 1 || !b.many || b.joins || e.verbose || b.Out == "-" || name == "-" || filepath.Ext(name) == npzSuffix {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() <= smallInput
}

// flush processes the queued files. It counts and reports the results in their
// order.
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
