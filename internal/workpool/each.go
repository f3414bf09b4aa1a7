package workpool

import (
	"cmp"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// Each calls task(worker, i) once for every i below n, and returns after the last
// call. workers goroutines make the calls; worker is the number of the goroutine,
// which is 0 for the caller's. If a call panics, Each panics with a
// *blosc2.PanicError after all goroutines have ended.
//
// A timer starts the other goroutines, as in newWaker. If the caller has made all calls
// before that, there are none.
func Each(workers, n int, task func(worker, i int)) {
	var next atomic.Int32
	work := func(worker int) (err error) {
		GrowStack()
		caught(&err, func() error {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				task(worker, i)
			}
			return nil
		})
		return err
	}
	if workers = min(workers, n); workers <= 1 {
		Raise(work(0))
		return
	}
	var group errgroup.Group
	started := make(chan struct{})
	starter := time.AfterFunc(0, func() {
		defer close(started)
		for worker := 1; worker < workers; worker++ {
			group.Go(func() error { return work(worker) })
		}
	})
	err := work(0)
	if !starter.Stop() {
		<-started
		err = cmp.Or(err, group.Wait())
	}
	Raise(err)
}
