package remote_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/ranges"
	"github.com/seed03b80dae/blosc2/remote"
)

// Cached bytes are not requested again, and adjacent ranges are requested together.
func TestCache(t *testing.T) {
	data := noise(10 << 20)
	s := serve(t, data, nil)
	o, err := s.open(t)
	if err != nil {
		t.Fatal(err)
	}
	read := func(requests int, offs ...int64) {
		t.Helper()
		before := s.count()
		var rs []ranges.Range
		for _, off := range offs {
			rs = append(rs, ranges.Range{Off: off, Data: make([]byte, 1000)})
		}
		if err := o.ReadRanges(t.Context(), rs); err != nil {
			t.Fatal(err)
		}
		for _, r := range rs {
			if !bytes.Equal(r.Data, data[r.Off:r.Off+1000]) {
				t.Errorf("at %d: other bytes", r.Off)
			}
		}
		if n := s.count() - before; n != requests {
			t.Errorf("%v took %d requests, want %d", offs, n, requests)
		}
	}
	read(0, 0, 3000)
	read(1, 1<<20, 1<<20+7000) // both ranges are in one page
	read(0, 1<<20+2000)
	read(1, 2<<20, 3<<20, 4<<20, 1<<20)
	read(1, 2<<20+500) // reads other bytes of a cached page
	read(0, 2<<20, 2<<20+500)
	for _, off := range []int64{6<<20 + 100, 6<<20 + 5000} { // ReadAt reads the whole page
		if _, err := o.ReadAt(make([]byte, 10), off); err != nil {
			t.Fatal(err)
		}
	}
	read(0, 6<<20, 6<<20+7000)
	if bytes := o.Stats().Bytes; bytes > remote.DefaultFirst+8000+4*1500+8<<10+100 {
		t.Errorf("%d bytes were read", bytes)
	}
	all := make([]byte, len(data))
	if err := o.ReadRanges(t.Context(), []ranges.Range{{Data: all}}); err != nil || !bytes.Equal(all, data) {
		t.Error("other bytes, or", err)
	}
	read(0, 9<<20)

	small, err := s.open(t, remote.UseCache(remote.NewCache(100<<10)))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		before := s.count()
		for off := int64(0); off < 1<<20; off += 64 << 10 {
			if _, err := small.ReadAt(all[:64<<10], off); err != nil || !bytes.Equal(all[:64<<10], data[off:off+64<<10]) {
				t.Error("other bytes, or", err)
			}
		}
		if n := s.count() - before; n < 15 {
			t.Errorf("a cache of 100 KiB kept more: %d requests for 1 MiB", n)
		}
	}
}

// Many goroutines that want the same bytes make one request.
func TestSingleFlight(t *testing.T) {
	data := noise(1 << 20)
	begin := make(chan struct{})
	s := serve(t, data, func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 0 {
			<-begin
		}
		return false
	})
	o, err := s.open(t)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 32 {
		group.Go(func() {
			p := make([]byte, 5000)
			if _, err := o.ReadAt(p, 500_000); err != nil || !bytes.Equal(p, data[500_000:505_000]) {
				t.Error("other bytes, or", err)
			}
		})
		if i == 16 {
			close(begin)
		}
	}
	group.Wait()
	if n := s.count(); n != 2 {
		t.Errorf("%d requests", n)
	}
}

// If the context of a goroutine is cancelled, the request that it made is repeated for
// other goroutines that wait for it.
func TestCancelledFlight(t *testing.T) {
	data := noise(1 << 20)
	arrived := make(chan struct{})
	s := serve(t, data, func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n == 1 {
			close(arrived)
			<-r.Context().Done()
			return true
		}
		return false
	})
	o, err := s.open(t)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	var group sync.WaitGroup
	group.Go(func() {
		err := o.ReadRanges(ctx, []ranges.Range{{Off: 500_000, Data: make([]byte, 100)}})
		if !errors.Is(err, enough) {
			t.Errorf("cancelled: %v", err)
		}
	})
	<-arrived
	group.Go(func() {
		p := make([]byte, 100)
		if _, err := o.ReadAt(p, 500_100); err != nil || !bytes.Equal(p, data[500_100:500_200]) {
			t.Error("other bytes, or", err)
		}
	})
	cancel(enough)
	group.Wait()
}

func TestConcurrency(t *testing.T) {
	var now, most atomic.Int32
	s := serve(t, noise(10<<20), func(n int, w http.ResponseWriter, r *http.Request) bool {
		for k := now.Add(1); ; {
			m := most.Load()
			if k <= m || most.CompareAndSwap(m, k) {
				break
			}
		}
		time.Sleep(time.Millisecond)
		now.Add(-1)
		return false
	})
	o, err := s.open(t, remote.Concurrency(3))
	if err != nil {
		t.Fatal(err)
	}
	var rs []ranges.Range
	for off := int64(0); off < 10<<20; off += 200_000 {
		rs = append(rs, ranges.Range{Off: off, Data: make([]byte, 10)})
	}
	if err := o.ReadRanges(t.Context(), rs); err != nil {
		t.Fatal(err)
	}
	if n := most.Load(); n > 3 {
		t.Errorf("%d requests at the same time", n)
	}
}
