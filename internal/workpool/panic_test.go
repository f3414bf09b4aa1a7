package workpool_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"testing"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/workpool"
)

var errBoom = errors.New("boom")

// isBoom reports whether err is the panic with errBoom, or, with exit, the end
// of the goroutine.
func isBoom(err error, exit bool) bool {
	var pe *blosc2.PanicError
	return errors.As(err, &pe) && errors.Is(err, errBoom) == !exit && len(pe.Stack) > 0
}

// A panic of work, in any goroutine, is the error of its job, in order; Close does
// not hang, and the pool can be used again.
func TestPanicOfWork(t *testing.T) {
	defer goleak.VerifyNone(t)
	pool := workpool.New(3, 5, func(_ int, v *int) error {
		if *v == 7 {
			panic(errBoom)
		}
		return nil
	})
	for _, produced := range []bool{false, true, false} {
		produce := func() error {
			for i := range 20 {
				j, err := pool.Acquire()
				if err != nil {
					return err
				}
				j.Value = i
				pool.Submit(j)
			}
			return nil
		}
		if produced {
			pool.Start(context.Background(), produce)
		} else {
			pool.Start(context.Background(), nil)
		}
		for i := range 20 {
			if !produced {
				j, err := pool.Acquire()
				if err != nil {
					t.Fatal(err)
				}
				j.Value = i
				pool.Submit(j)
			}
			j, err := pool.Next()
			if i == 7 && !isBoom(err, false) || i != 7 && err != nil || j.Value != i {
				t.Errorf("job %d: %d, %v", i, j.Value, err)
			}
			pool.Release(j)
		}
		pool.Close()
		pool.Produced(true)
	}
}

// A goroutine that is exited by work does not keep the consumer waiting. If the
// consumer does the job, its own goroutine is exited. The pool can be used again.
func TestExitOfWork(t *testing.T) {
	defer goleak.VerifyNone(t)
	exit := true
	pool := workpool.New(2, 4, func(int, *int) error {
		if exit {
			runtime.Goexit()
		}
		return nil
	})
	for range 200 {
		pool.Start(context.Background(), func() error {
			j, err := pool.Acquire()
			if err == nil {
				pool.Submit(j)
			}
			return err
		})
		over := make(chan struct{})
		go func() {
			defer close(over)
			if _, err := pool.Next(); exit && !isBoom(err, true) || !exit && err != nil {
				t.Error(err)
			}
		}()
		<-over
		pool.Close()
		pool.Produced(true)
		exit = !exit
	}
}

// A panic of the producer is the error after the last job.
func TestPanicOfProducer(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, exit := range []bool{false, true} {
		pool := workpool.New(2, 4, func(int, *int) error { return nil })
		pool.Start(context.Background(), func() error {
			j, err := pool.Acquire()
			if err != nil {
				return err
			}
			pool.Submit(j)
			if exit {
				runtime.Goexit()
			}
			panic(errBoom)
		})
		if _, err := pool.Next(); err != nil {
			t.Error(err)
		}
		var pe *blosc2.PanicError
		if j, err := pool.Next(); j != nil || !errors.As(err, &pe) || errors.Is(err, errBoom) == exit {
			t.Errorf("exit %v: %v, %v", exit, j, err)
		}
		pool.Close()
	}
}

// If a helper panics, the job that it helps with returns the panic, after its other
// helpers have finished. The same holds for a panic of the worker of the job.
func TestPanicOfHelper(t *testing.T) {
	defer goleak.VerifyNone(t)
	for bad := range 8 {
		var pool *workpool.Pool[int]
		part := func(_ int, _ *int, part int) {
			if part == bad {
				panic(errBoom)
			}
		}
		pool = workpool.New(3, 3, func(worker int, v *int) error {
			if !pool.Share(worker, v, 8, part) {
				for i := range 8 {
					part(worker, v, i)
				}
			}
			return nil
		})
		pool.Start(context.Background(), nil)
		for range 50 {
			j, err := pool.Acquire()
			if err != nil {
				t.Fatal(err)
			}
			pool.Submit(j)
			if j, err = pool.Next(); !isBoom(err, false) {
				t.Errorf("part %d: %v", bad, err)
			}
			pool.Release(j)
		}
		pool.Close()
	}
}

// Raise panics only with a panic.
func TestRaise(t *testing.T) {
	workpool.Raise(nil)
	workpool.Raise(io.EOF)
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, errBoom) {
			t.Error(err)
		}
	}()
	workpool.Raise(blosc2.NewPanicError(errBoom))
}

// Each makes every call once, and raises the panic of one of them after all
// goroutines have ended.
func TestEach(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, workers := range []int{0, 1, 3, 100} {
		for _, n := range []int{0, 1, 2, 50} {
			calls := make([]int, n)
			workpool.Each(workers, n, func(worker, i int) {
				if worker < 0 || worker >= max(workers, 1) {
					t.Errorf("worker %d of %d", worker, workers)
				}
				calls[i]++
			})
			for i, c := range calls {
				if c != 1 {
					t.Errorf("%d workers, %d tasks: %d calls of task %d", workers, n, c, i)
				}
			}
		}
		func() {
			defer func() {
				if err, _ := recover().(error); !isBoom(err, false) {
					t.Errorf("%d workers: recovered %v", workers, err)
				}
			}()
			workpool.Each(workers, 20, func(_, i int) {
				if i == 7 {
					panic(errBoom)
				}
			})
			t.Errorf("%d workers: no panic", workers)
		}()
	}
}
