package workpool

import (
	"context"
)

// run sends n numbers through a pool with a producer goroutine and returns what the
// consumer received.
func run(ctx context.Context, workers, n int, work func(v *int) error) (got []int, err error) {
	p := New(workers, workers+Spare, func(_ int, v *int) error { return work(v) })
	p.Start(ctx, func() error {
		for i := range n {
			j, err := p.Acquire()
			if err != nil {
				return err
			}
			j.Value = i
			p.Submit(j)
		}
		return nil
	})
	defer func() { p.Close(); p.Produced(true) }()
	for {
		j, err := p.Next()
		if err != nil {
			return got, err
		}
		got = append(got, j.Value)
		p.Release(j)
	}
}
