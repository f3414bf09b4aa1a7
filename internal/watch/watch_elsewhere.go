//go:build !linux

package watch

import (
	"context"
	"time"
)

// A Watch waits for changes of a file by polling. It is for one goroutine.
type Watch struct{ every time.Duration }

// New returns a Watch of a path, which it polls every poll, or every Every if
// that is 0.
func New(path string, poll time.Duration) *Watch {
	if poll == 0 {
		poll = Every
	}
	return &Watch{poll}
}

// Add watches a file in place of the previous one.
func (w *Watch) Add(*File) {}

// Wait returns after some time, or when ctx is done.
func (w *Watch) Wait(ctx context.Context) { Sleep(ctx, w.every) }

// Close ends the Watch.
func (w *Watch) Close() {}
