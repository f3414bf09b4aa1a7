package workpool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		for _, n := range []int{0, 1, 2, 1000} {
			synctest.Test(t, func(t *testing.T) {
				got, err := run(t.Context(), workers, n, func(v *int) error {
					if rand.IntN(50) == 0 { // sometimes wait until the others have nothing to do
						time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
					}
					*v *= 3
					return nil
				})
				if err != io.EOF || len(got) != n {
					t.Fatalf("%d workers: %d of %d jobs, %v", workers, len(got), n, err)
				}
				for i, v := range got {
					if v != 3*i {
						t.Fatalf("%d workers: job %d returned %d", workers, i, v)
					}
				}
			})
		}
	}
}

// The error is that of the earliest failing job, even if it fails last.
func TestEarliestError(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			got, err := run(t.Context(), workers, 100, func(v *int) error {
				switch {
				case *v == 20:
					time.Sleep(5 * time.Millisecond)
					return errors.New("job 20")
				case *v > 20:
					return fmt.Errorf("job %d", *v)
				}
				return nil
			})
			if len(got) != 20 || err == nil || err.Error() != "job 20" {
				t.Errorf("%d workers: %d jobs, then %v", workers, len(got), err)
			}
		})
	}
}

func TestProducerError(t *testing.T) {
	boom := errors.New("boom")
	p := New(2, 2+Spare, func(int, *int) error { return nil })
	p.Start(t.Context(), func() error {
		for range 7 {
			j, err := p.Acquire()
			if err != nil {
				return err
			}
			p.Submit(j)
		}
		return boom
	})
	defer p.Close()
	for i := range 7 {
		j, err := p.Next()
		if err != nil {
			t.Fatalf("job %d: %v", i, err)
		}
		p.Release(j)
	}
	if j, err := p.Next(); j != nil || err != boom {
		t.Fatalf("%v, %v; want the producer's error", j, err)
	}
}

func TestCancel(t *testing.T) {
	cause := errors.New("no longer wanted")
	for _, workers := range []int{1, 2, 8} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var n atomic.Int64
		_, err := run(ctx, workers, 1<<30, func(*int) error {
			if n.Add(1) == 50 {
				cancel(cause)
			}
			return nil
		})
		if err != cause {
			t.Errorf("%d workers: %v, want the cause", workers, err)
		}
	}
}

// A run that is abandoned at any point leaves no goroutine, and the pool can be
// started again.
func TestAbandon(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		p := New(workers, workers+Spare, func(int, *int) error { return nil })
		for stop := range 30 {
			p.Start(t.Context(), func() error {
				for i := 0; ; i++ {
					j, err := p.Acquire()
					if err != nil {
						return err
					}
					j.Value = i
					p.Submit(j)
				}
			})
			for i := range stop {
				j, err := p.Next()
				if err != nil || j.Value != i {
					t.Fatalf("job %d: %v, %v", i, j, err)
				}
				if i%2 == 0 || i < stop-1 { // sometimes keep the last job
					p.Release(j)
				}
			}
			p.Close()
			p.Produced(true)
			goleak.VerifyNone(t)
		}
	}
}

// One goroutine can be producer and consumer.
func TestOneGoroutine(t *testing.T) {
	p := New(2, 2+Spare, func(_ int, v *int) error { *v++; return nil })
	p.Start(t.Context(), nil)
	defer p.Close()
	pending, want := 0, 0
	take := func() {
		j, err := p.Next()
		if err != nil || j.Value != want+1 {
			t.Fatalf("job %d: %v, %v", want, j, err)
		}
		want++
		pending--
		p.Release(j)
	}
	for i := range 1000 {
		for pending == p.Jobs() || p.Ready() {
			take()
		}
		j, err := p.Acquire()
		if err != nil {
			t.Fatal(err)
		}
		j.Value = i
		p.Submit(j)
		pending++
	}
	for pending > 0 {
		take()
	}
	if want != 1000 || p.Ready() {
		t.Fatalf("%d jobs came back; more ready: %v", want, p.Ready())
	}
}

// Idle workers help with the parts of a job, and each part is done once. Time
// passes when all goroutines wait, so a helper arrives during a part.
func TestShare(t *testing.T) {
	type job struct {
		parts  [100]atomic.Int32
		shared bool
	}
	for _, workers := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			var p *Pool[job]
			var helped [8]atomic.Int32
			do := func(worker int, v *job, part int) {
				v.parts[part].Add(1)
				helped[worker].Add(1)
				time.Sleep(time.Millisecond)
			}
			p = New(workers, 1, func(worker int, v *job) error {
				v.shared = p.Share(worker, v, len(v.parts), do)
				return nil
			})
			p.Start(t.Context(), nil)
			defer p.Close()
			for range 10 {
				j, err := p.Acquire()
				if err != nil {
					t.Fatal(err)
				}
				j.Value = job{}
				p.Submit(j)
				if j, err = p.Next(); err != nil {
					t.Fatal(err)
				}
				if j.Value.shared != (workers > 1) {
					t.Errorf("%d workers: shared %v", workers, j.Value.shared)
				}
				for i := range j.Value.parts {
					if n := j.Value.parts[i].Load(); j.Value.shared && n != 1 {
						t.Fatalf("%d workers: part %d done %d times", workers, i, n)
					}
				}
				p.Release(j)
				synctest.Wait() // wait until the others sleep
			}
			for i := range workers {
				if workers > 1 && helped[i].Load() == 0 {
					t.Errorf("%d workers: worker %d did nothing", workers, i)
				}
			}
		})
	}
}

// Every worker that is idle, or waits for the job, takes part in it until help
// ends, and none does afterwards.
func TestCallHelp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type job struct{ left, at, idle atomic.Int32 }
		var came [4]atomic.Int32
		var p *Pool[job]
		do := func(worker int, v *job) {
			v.at.Add(1)
			came[worker].Add(1)
			for v.left.Add(-1) >= 0 {
				time.Sleep(time.Millisecond)
			}
			v.at.Add(-1)
		}
		p = New(len(came), 2, func(worker int, v *job) error {
			for v.left.Add(-1) >= 0 {
				p.CallHelp(worker, v, do)
				time.Sleep(time.Millisecond)
			}
			p.EndHelp(worker)
			v.idle.Store(v.at.Load()) // number of helpers that still do the job, which must be 0
			return nil
		})
		p.Start(t.Context(), nil)
		defer p.Close()
		for range 40 {
			j, err := p.Acquire()
			if err != nil {
				t.Fatal(err)
			}
			j.Value.left.Store(40)
			p.Submit(j)
			synctest.Wait() // wait until another worker than this goroutine has begun
			if j, err = p.Next(); err != nil {
				t.Fatal(err)
			}
			if n := j.Value.idle.Load(); n != 0 {
				t.Fatalf("%d helpers after EndHelp", n)
			}
			p.Release(j)
		}
		for worker := range came {
			if came[worker].Load() == 0 {
				t.Errorf("worker %d never helped", worker)
			}
		}
	})
}

func TestAllocs(t *testing.T) {
	p := New(2, 2+Spare, func(int, *[64]byte) error { return nil })
	p.Start(t.Context(), nil)
	defer p.Close()
	if n := testing.AllocsPerRun(1000, func() {
		j, _ := p.Acquire()
		p.Submit(j)
		j, _ = p.Next()
		p.Release(j)
	}); n != 0 {
		t.Errorf("%v allocations a job", n)
	}
}

func BenchmarkJob(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			p := New(workers, workers+Spare, func(int, *int) error { return nil })
			p.Start(b.Context(), func() error {
				for {
					j, err := p.Acquire()
					if err != nil {
						return err
					}
					p.Submit(j)
				}
			})
			defer func() { p.Close(); p.Produced(true) }()
			b.ReportAllocs()
			for b.Loop() {
				j, _ := p.Next()
				p.Release(j)
			}
		})
	}
}

// The consumer helps with a job that is shared long after it began to wait.
func TestShareLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *Pool[int]
		var parts [2]atomic.Int32
		do := func(worker int, _ *int, _ int) { parts[worker].Add(1); time.Sleep(time.Millisecond) }
		p = New(2, 3, func(worker int, v *int) error {
			time.Sleep(3 * time.Millisecond)
			p.Share(worker, v, 20, do)
			return nil
		})
		p.Start(t.Context(), nil)
		defer p.Close()
		for range 5 {
			j, err := p.Acquire()
			if err != nil {
				t.Fatal(err)
			}
			p.Submit(j)
			synctest.Wait() // wait until the other worker has begun the job
			if j, err = p.Next(); err != nil {
				t.Fatal(err)
			}
			p.Release(j)
		}
		if a, b := parts[0].Load(), parts[1].Load(); a == 0 || b == 0 || a+b != 100 {
			t.Errorf("one worker did %d parts, the consumer %d", a, b)
		}
	})
}
