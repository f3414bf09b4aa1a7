package workpool

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed03b80dae/blosc2"
)

// If the processors are busy no worker is woken, and the consumer does all jobs.
func TestCrowded(t *testing.T) {
	for _, blocking := range []bool{false, true} {
		var by [2]atomic.Int32 // number of jobs of each worker
		p := New(2, 3, func(worker int, v *int) error {
			by[worker].Add(1)
			return nil
		})
		if blocking {
			p.Blocking()
		}
		load.Add(1000)
		p.Start(t.Context(), nil)
		woken := false
		for range 100 {
			j, err := p.Acquire()
			if err != nil {
				t.Fatal(err)
			}
			p.Submit(j)
			p.mu.Lock()
			woken = woken || p.awake() > 0
			p.mu.Unlock()
			if !blocking && !p.Ready() {
				t.Error("a job waits, and only its consumer is there")
			}
			if j, err = p.Next(); err != nil {
				t.Fatal(err)
			}
			p.Release(j)
		}
		p.Close()
		woken = woken || by[0].Load() > 0 // it may have done the job before Submit returned
		if woken != blocking {
			t.Errorf("blocking %v: a worker was woken: %v", blocking, woken)
		}
		if n := load.Add(-1000); n != 0 {
			t.Errorf("blocking %v: %d at work at the end", blocking, n)
		}
		if n := by[1].Load(); !blocking && n != 100 {
			t.Errorf("the consumer did %d jobs of 100", n)
		}
	}
}

// No worker is counted as active after runs of any kind.
func TestAtWork(t *testing.T) {
	for range 50 {
		run(t.Context(), 3, 20, func(*int) error { return nil })
		ctx, cancel := context.WithCancel(t.Context())
		run(ctx, 3, 1000, func(v *int) error {
			if *v == 10 {
				cancel()
			}
			return nil
		})
	}
	if n := load.Load(); n != 0 {
		t.Errorf("%d at work", n)
	}
}

// If work panics in the consumer, Next returns an error. The panic does not affect
// Close or the next run.
func TestPanicInConsumer(t *testing.T) {
	p := New(1, 1, func(_ int, v *int) error {
		if *v == 1 {
			panic("one")
		}
		return nil
	})
	for i := range 3 {
		p.Start(t.Context(), nil)
		j, err := p.Acquire()
		if err != nil {
			t.Fatal(err)
		}
		j.Value = i
		p.Submit(j)
		_, err = p.Next()
		if pe := (*blosc2.PanicError)(nil); errors.As(err, &pe) != (i == 1) {
			t.Errorf("run %d: %v", i, err)
		}
		p.Close()
	}
	if n := load.Load(); n != 0 {
		t.Errorf("%d at work", n)
	}
}

// Workers without a task end, or sleep until the context ends, even if Close is not called;
// otherwise the bubble would not end.
func TestWorkersEnd(t *testing.T) {
	for _, separate := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p := New(3, 5, func(int, *int) error { return nil })
			submit := func() {
				for range 5 {
					j, err := p.Acquire()
					if err != nil {
						t.Error(err)
						return
					}
					p.Submit(j)
					synctest.Wait()
				}
			}
			if separate {
				p.Start(ctx, func() error { submit(); <-ctx.Done(); return nil })
			} else {
				p.Start(ctx, nil)
				submit()
			}
			synctest.Wait()
			p.mu.Lock()
			if n := p.asleep; p.awake() != 0 || separate != (n > 0) || !separate && len(p.idle) != 2 {
				t.Errorf("separate producer %v: %d workers sleep, %d have ended, %d are awake", separate, n, len(p.idle), p.awake())
			}
			p.mu.Unlock()
		})
	}
}

// Cancel wakes a consumer and a producer that wait.
func TestCancelWakes(t *testing.T) {
	cause := errors.New("no longer wanted")
	for range 20 {
		p := New(2, 2, func(int, *int) error { return nil })
		blocked := make(chan struct{})
		p.Start(t.Context(), func() error {
			<-blocked
			for {
				if _, err := p.Acquire(); err != nil {
					return err
				}
			}
		})
		ended := make(chan error)
		go func() {
			_, err := p.Next()
			ended <- err
		}()
		p.Cancel(cause)
		if err := <-ended; err != cause {
			t.Errorf("Next: %v", err)
		}
		close(blocked)
		p.Close()
		if !p.Produced(true) {
			t.Error("the producer has not returned")
		}
	}
}

// A job that was passed comes first, and needs no worker; a run can be limited
// to its consumer.
func TestPassAndLimit(t *testing.T) {
	p := New(3, 4, func(worker int, v *int) error {
		if worker != 2 {
			t.Errorf("worker %d", worker)
		}
		*v++
		return nil
	})
	for range 10 {
		p.Start(t.Context(), func() error {
			for i := range 10 {
				j, err := p.Acquire()
				if err != nil {
					return err
				}
				if j.Value = 10 * i; i == 0 {
					p.Limit(1)
					p.Pass(j)
				} else {
					p.Submit(j)
				}
			}
			return nil
		})
		for i := range 10 {
			j, err := p.Next()
			if err != nil || j.Value != 10*i+min(i, 1) {
				t.Fatalf("job %d: %v, %v", i, j, err)
			}
			p.Release(j)
		}
		if _, err := p.Next(); err != io.EOF {
			t.Fatal(err)
		}
		p.Close()
	}
}

// BenchmarkWake measures the time from Submit until a worker begins, with the timer
// and without it: see newWaker. The caller does not sleep, because then the runtime
// would wait for its timers in the other thread, for a millisecond.
func BenchmarkWake(b *testing.B) {
	for _, timer := range []bool{true, false} {
		name := map[bool]string{true: "timer", false: "direct"}[timer]
		b.Run(name, func(b *testing.B) {
			var begun atomic.Int64
			origin := time.Now()
			p := New(2, 1, func(int, *int) error { begun.Store(int64(time.Since(origin))); return nil })
			p.Start(b.Context(), nil)
			defer p.Close()
			var sum time.Duration
			for b.Loop() {
				j, err := p.Acquire()
				if err != nil {
					b.Fatal(err)
				}
				begun.Store(0)
				start := time.Since(origin)
				if timer {
					p.Submit(j)
				} else {
					p.mu.Lock()
					p.toWake++ // so that Submit finds a worker that is called
					p.addLoad(1)
					p.mu.Unlock()
					p.Submit(j)
					p.wake()
				}
				for begun.Load() == 0 { // keep the caller busy
				}
				sum += time.Duration(begun.Load()) - start
				if j, err = p.Next(); err != nil {
					b.Fatal(err)
				}
				p.Release(j)
				for ended := false; !ended; {
					p.mu.Lock()
					ended = p.awake() == 0
					p.mu.Unlock()
				}
				for wait := time.Now(); time.Since(wait) < 300*time.Microsecond; { // until the worker's thread sleeps
				}
			}
			b.ReportMetric(float64(sum.Nanoseconds())/float64(b.N), "ns/wake")
		})
	}
}

// Workers that were called when the run was canceled are not started any more:
// those that slept have returned, and there would be more than the pool has.
func TestWakeAfterCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(3, 4, func(int, *int) error { return nil })
		p.Blocking()
		p.Start(t.Context(), func() error { <-t.Context().Done(); return nil })
		call := func() {
			p.mu.Lock()
			p.toWake = p.goroutines
			p.mu.Unlock()
			p.wake()
		}
		call()
		synctest.Wait()
		if p.asleep != 2 || p.woken != 0 {
			t.Errorf("%d of 2 workers sleep, %d are called", p.asleep, p.woken)
		}
		p.Cancel(errors.New("canceled"))
		synctest.Wait()
		if p.asleep != 0 {
			t.Errorf("%d workers sleep after Cancel", p.asleep)
		}
		call()
		p.mu.Lock()
		if p.toWake != 0 || p.awake() != 0 || len(p.idle) != 2 {
			t.Errorf("%d workers are called, %d are awake, %d of 2 have ended", p.toWake, p.awake(), len(p.idle))
		}
		p.mu.Unlock()
		p.Close()
	})
}
