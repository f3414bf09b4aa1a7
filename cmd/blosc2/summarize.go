package main

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// summarize computes the sums of all items on all processors. Parts are joined in
// order, so the result does not depend on the number of processors.
func (v *view) summarize(bar *bar) (*sums, error) {
	all := v.all()
	if len(all.Window) == 0 || v.size64() == 0 {
		s := new(sums)
		err := v.pieces(all, func(b []byte) error {
			s.add(v.dtype, b)
			return nil
		})
		return s, err
	}
	row := v.size64() / v.shape[0]
	rows := v.partRows(row)
	parts := make([]sums, (v.shape[0]+rows-1)/rows)
	var next, done atomic.Int64
	var failed atomic.Pointer[error]
	work := func() {
		var b []byte
		for failed.Load() == nil {
			i := next.Add(1) - 1
			if i >= int64(len(parts)) {
				return
			}
			w := append(b2nd.Window{}, all.Window...)
			w[0].Start, w[0].Stop = i*rows, min((i+1)*rows, v.shape[0])
			n := w[0].Len() * row
			if int64(cap(b)) < n {
				b = make([]byte, n)
			}
			if err := v.read(b[:n], w); err != nil {
				failed.CompareAndSwap(nil, &err)
				return
			}
			parts[i].add(v.dtype, b[:n])
			bar.add(done.Add(n))
		}
	}
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), mostJobs, len(parts)) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	s := new(sums)
	for i := range parts {
		s.join(&parts[i])
	}
	return s, nil
}

// partRows returns the number of rows to read at a time: whole chunks of about
// a megabyte.
func (v *view) partRows(row int64) int64 {
	return max(1, partBytes/row/v.whole*v.whole, min(v.whole, maxRow/row))
}

const partBytes = 1 << 20
