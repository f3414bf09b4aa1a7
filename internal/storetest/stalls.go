package storetest

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/remote"
)

// running returns a function that returns how long the process has run since the call
// of running. It does not count the time in which the process or the machine was
// stopped.
func running() (took func() time.Duration) {
	const step = 100 * time.Millisecond
	var steps atomic.Int64
	ticker, done := time.NewTicker(step), make(chan bool)
	go func() {
		for {
			select {
			case <-ticker.C:
				steps.Add(1)
			case <-done:
				return
			}
		}
	}()
	return func() time.Duration {
		ticker.Stop()
		close(done)
		return time.Duration(steps.Load()) * step
	}
}

// testStalls tests that a store that accepts a part and never answers, or accepts
// nothing, ends an upload. If the store stalls only once, the part is put again if the
// store allows that.
func (s *server) testStalls(t *testing.T) {
	stays := s.stays(t, "stalls")
	data := Noise(2*PartSize + 1)
	released := make(chan bool)
	defer close(released)
	wait := func(r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-released:
		}
	}
	stalls := map[string]fault{
		"never answers": func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			io.Copy(io.Discard, r.Body)
			wait(r)
		},
		"accepts nothing": func(w http.ResponseWriter, r *http.Request, next http.Handler) { wait(r) },
	}
	write := func(what string, limit time.Duration, n, times int, match func(r *http.Request) bool, stall fault) error {
		fault, _ := from(n, times, match, stall)
		s.proxy.set(fault)
		defer s.proxy.set(nil)
		took := running()
		err := s.write(t.Context(), "stalls", data, closing, remote.PutStall(limit))
		if took := took(); took > time.Minute {
			t.Errorf("%s: it took %v", what, took)
		}
		t.Logf("%s: %v", what, err)
		return err
	}
	for name, stall := range stalls {
		for n := range 3 {
			what := fmt.Sprintf("part request %d %s", n, name)
			if err := write(what, time.Second, n, math.MaxInt, s.d.Puts, stall); !errors.Is(err, remote.ErrStalled) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", what, err)
			}
			stays(what)
		}
	}
	if err := write("the end never answers", time.Second, 0, math.MaxInt, s.d.Completes, stalls["never answers"]); !errors.Is(err, remote.ErrStalled) {
		t.Error(err)
	}
	stays("the end never answers")
	fault, _ := from(0, math.MaxInt, s.d.Puts, stalls["never answers"])
	s.proxy.set(fault)
	if err := s.writeStalled(t, data); !errors.Is(err, remote.ErrStalled) {
		t.Errorf("a shard: %v", err)
	}
	s.proxy.set(nil)
	for n := range 3 {
		what := fmt.Sprintf("part request %d stalls once", n)
		if err := write(what, 3*time.Second, n, 1, s.d.Puts, stalls["never answers"]); err != nil && !(s.d.InOrder && errors.Is(err, remote.ErrStalled)) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
