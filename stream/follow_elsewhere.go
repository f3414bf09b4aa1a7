//go:build !linux

package stream

import (
	"context"
	"time"
)

// A watch waits for changes of a file by polling.
type watch struct{ every time.Duration }

func newWatch(path string, poll time.Duration) *watch {
	if poll == 0 {
		poll = pollEvery
	}
	return &watch{poll}
}

func (w *watch) add(*followed) {}

func (w *watch) wait(ctx context.Context) { sleep(ctx, w.every) }

func (w *watch) close() {}
