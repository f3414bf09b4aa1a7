package stream_test

import (
	"io"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// inUse returns the bytes that the program holds: its heap after garbage
// collection, and its stacks.
func inUse() int64 {
	runtime.GC()
	runtime.GC() // two collections, because the first one leaves the contents of a sync.Pool
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// exchange sends n messages of size bytes each way.
func exchange(t testing.TB, a, b *stream.Conn, n, size int) {
	t.Helper()
	var echo sync.WaitGroup
	echo.Go(func() {
		p := make([]byte, size)
		for range n {
			if _, err := io.ReadFull(b, p); err != nil {
				t.Error(err)
			}
			if _, err := b.Write(p); err != nil {
				t.Error(err)
			}
			if err := b.Flush(); err != nil {
				t.Error(err)
			}
		}
	})
	p := numbers(size)
	for range n {
		_, err := a.Write(p)
		must(t, err)
		must(t, a.Flush())
		_, err = io.ReadFull(a, p)
		must(t, err)
	}
	echo.Wait()
}

// Messages of 32 bytes in each direction cost less than 64 KiB of total allocations
// per end, and thousands of them do not add to that. Large messages leave nothing
// allocated when both sides wait.
func TestConnMemory(t *testing.T) {
	first := uint64(1 << 40)
	for range 5 { // the race detector makes a sync.Pool drop items
		inUse() // empties the pools
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a, b := pipes(t)
		exchange(t, a, b, 1, 32)
		runtime.ReadMemStats(&after)
		first = min(first, (after.TotalAlloc-before.TotalAlloc)/2)
		var end sync.WaitGroup
		end.Go(func() { b.WriteTo(io.Discard) }) // lets a.Close return
		must(t, a.Close())
		end.Wait()
		b.Close() // may return an error, because nothing reads the end of its frame
	}
	t.Logf("a message of 32 bytes: %d bytes were allocated an end", first)
	if first > 64<<10 {
		t.Errorf("%d bytes an end for a message of 32 bytes", first)
	}

	for _, c := range []struct {
		name           string
		messages, size int
		most           int64
		opts           []stream.ConnOption
	}{
		{"small", 2000, 32, 64 << 10, nil},
		{"small with Delay", 2000, 32, 64 << 10, []stream.ConnOption{stream.Delay(0, time.Minute)}},
		{"1 MiB", 3, 1 << 20, 32 << 10, nil},
		{"1 MiB, compact", 3, 1 << 20, 32 << 10, []stream.ConnOption{stream.Compact()}},
	} {
		if b2test.Race { // the test is a hundred times as slow with the race detector
			c.messages = min(c.messages, 100)
		}
		synctest.Test(t, func(t *testing.T) {
			const pairs = 10
			start := inUse()
			conns := make([]*stream.Conn, 0, 2*pairs)
			var reads sync.WaitGroup
			for range pairs {
				a, b := pipes(t, c.opts...)
				exchange(t, a, b, c.messages, c.size)
				conns = append(conns, a, b)
				for _, end := range []*stream.Conn{a, b} { // reads all data and waits for more
					reads.Go(func() { end.WriteTo(io.Discard) })
				}
			}
			synctest.Wait() // wait until all goroutines are blocked
			each := (inUse() - start) / int64(len(conns))
			t.Logf("%s: %d bytes an end", c.name, each)
			if each > c.most {
				t.Errorf("%s: %d bytes an end, at most %d", c.name, each, c.most)
			}
			closeAll(conns)
			reads.Wait()
		})
	}
	goleak.VerifyNone(t)
}

// Ten thousand connections, which have each exchanged a small message and wait in a Read
// at both ends, take no more than 400 MiB in all, including their goroutines.
func TestIdleConns(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode: 20,000 ends of connections")
	}
	const pairs = 10_000
	for name, opts := range map[string][]stream.ConnOption{
		"plain":   nil,
		"delayed": {stream.Delay(1<<14, 5*time.Millisecond), stream.Items[float64]()},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := inUse()
			conns := make([]*stream.Conn, 0, 2*pairs)
			var ready, reads sync.WaitGroup
			for range pairs {
				a, b := pipes(t, opts...)
				conns = append(conns, a, b)
				for i, end := range []*stream.Conn{a, b} {
					ready.Add(1)
					reads.Go(func() {
						p := make([]byte, 64)
						if i == 0 {
							end.Write(p)
						}
						if _, err := io.ReadFull(end, p); err != nil {
							t.Error(err)
						}
						if i == 1 {
							end.Write(p)
						}
						ready.Done()
						end.WriteTo(io.Discard) // reads until Close
					})
				}
			}
			ready.Wait()
			synctest.Wait() // wait until all goroutines are blocked
			all := inUse() - start
			t.Logf("%s: %d ends hold %.0f MiB, %d bytes each", name, len(conns), float64(all)/(1<<20), all/int64(len(conns)))
			if all > 400<<20 {
				t.Errorf("%s: %d bytes", name, all)
			}
			closeAll(conns)
			reads.Wait()
		})
	}
	goleak.VerifyNone(t)
}
