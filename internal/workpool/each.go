package workpool

import (
	"cmp"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Each calls task(worker, i) once for every i below n, and returns after the last
// call. workers goroutines make the calls; worker is the number of the goroutine,
// which is 0 for the caller's. If a call panics, Each panics with a
// *blosc2.PanicError after all goroutines have ended.
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
	var group errgroup.Group
	for worker := 1; worker < min(workers, n); worker++ {
		group.Go(func() error { return work(worker) })
	}
	err := work(0)
	Raise(cmp.Or(err, group.Wait()))
}
