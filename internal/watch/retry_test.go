package watch

import (
	"context"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed03b80dae/blosc2"
)

// A failure is final after half a second, sooner if it is permanent, and never after
// a success in between.
func TestRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Retry
		if final, _ := r.Failed(t.Context(), fmt.Errorf("header: %w", blosc2.ErrTooLarge)); !final {
			t.Error("a permanent error is not final")
		}
		for range 2 {
			if final, waited := r.Failed(t.Context(), blosc2.ErrChanged); final || waited {
				t.Errorf("a change: final %v, waited %v", final, waited)
			}
		}
		r.Succeeded()
		start := time.Now()
		for i := 0; ; i++ {
			if want := i < 25; r.Doubtful() != want {
				t.Errorf("after %d failures: doubtful is %v", i, !want)
			}
			final, waited := r.Failed(t.Context(), io.ErrUnexpectedEOF)
			if final {
				break
			}
			if !waited {
				t.Fatalf("failure %d: did not wait", i)
			}
		}
		if d := time.Since(start); d != 500*time.Millisecond {
			t.Errorf("final after %v", d)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var s Retry
		start = time.Now()
		if final, waited := s.Failed(ctx, io.ErrUnexpectedEOF); final || !waited || time.Since(start) != 0 {
			t.Errorf("after the end of the context: final %v, waited %v, %v", final, waited, time.Since(start))
		}
	})
}
