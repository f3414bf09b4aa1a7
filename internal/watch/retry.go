package watch

import (
	"context"
	"errors"
	"time"

	"github.com/seed03b80dae/blosc2"
)

// A Retry decides what to do after a failed attempt to read a file that others write:
// bytes that are being written may look damaged. The zero value is ready.
type Retry struct {
	fails int // number of consecutive failures
}

// A failure that repeats for half a second is final.
const (
	maxFails = 50
	failWait = 10 * time.Millisecond
)

// Succeeded ends a sequence of failures.
func (r *Retry) Succeeded() { r.fails = 0 }

// Failing reports whether the last attempt failed.
func (r *Retry) Failing() bool { return r.fails > 0 }

// Doubtful reports whether the failures may still be due to a write in progress:
// they have repeated for less than half of the time after which a failure is final.
func (r *Retry) Doubtful() bool { return r.fails < maxFails/2 }

// Failed counts a failure. It reports whether err is final: it is permanent, or
// failures have repeated for too long. Otherwise it waits until the next attempt,
// or until ctx is done. After the first two failures, for which a new attempt
// nearly always suffices, it returns at once, and waited is false.
func (r *Retry) Failed(ctx context.Context, err error) (final, waited bool) {
	if permanent(err) || r.fails == maxFails {
		return true, false
	}
	if r.fails++; errors.Is(err, blosc2.ErrChanged) && r.fails < 3 {
		return false, false
	}
	Sleep(ctx, failWait)
	return false, true
}

// permanent reports whether another attempt would fail as well.
func permanent(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, blosc2.ErrTooLarge) || errors.Is(err, blosc2.ErrNotBlosc2)
}
