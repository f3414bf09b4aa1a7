package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/seed03b80dae/blosc2/parts"
)

// stallTries is how often a part is put if the store stalls: with the default PutStall
// the error is returned after three minutes. completeStalls is how many times as long the
// store may take to make the object from its parts; S3 documents that this may take
// several minutes.
const (
	stallTries     = 3
	completeStalls = 10
)

// A steady is a parts.Object with time limits. It puts a part again if the store
// neither receives its bytes nor answers. If that repeats, the error is ErrStalled.
type steady struct {
	parts.Object
	stall time.Duration
}

func (s steady) Put(ctx context.Context, n int, body io.ReadSeeker, size int64) (tag string, err error) {
	for try := 1; ; try++ {
		tag, err = s.putOnce(ctx, n, body, size)
		if try == stallTries || !errors.Is(err, ErrStalled) || context.Cause(ctx) != nil {
			return tag, err
		}
		if _, err := body.Seek(0, io.SeekStart); err != nil {
			return "", err
		}
	}
}

func (s steady) putOnce(ctx context.Context, n int, body io.ReadSeeker, size int64) (string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(s.stall, func() { cancel(ErrStalled) })
	defer timer.Stop()
	w := &watched{r: body, moved: func() { timer.Reset(s.stall) }}
	defer w.detach()
	var r io.ReadSeeker = w
	if b, ok := body.(parts.Summed); ok {
		r = watchedSum{w, b}
	}
	tag, err := s.Object.Put(ctx, n, r, size)
	return tag, s.wrap(ctx, err, s.stall)
}

func (s steady) Complete(ctx context.Context, list []parts.Part) error {
	limit := completeStalls * s.stall
	ctx, cancel := context.WithTimeoutCause(ctx, limit, ErrStalled)
	defer cancel()
	return s.wrap(ctx, s.Object.Complete(ctx, list), limit)
}

// wrap returns ErrStalled for the error of a request that ended because it stalled.
func (s steady) wrap(ctx context.Context, err error, limit time.Duration) error {
	if err != nil && context.Cause(ctx) == ErrStalled {
		return fmt.Errorf("%w (%v)", ErrStalled, limit)
	}
	return err
}

// A watched is a body that records when it is read. A client may read it after Put
// has returned, which is then an error.
type watched struct {
	mu    sync.Mutex
	r     io.ReadSeeker // nil after a call of detach
	moved func()
}

var errDetached = errors.New("remote: the part was abandoned")

func (w *watched) Read(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.r == nil {
		return 0, errDetached
	}
	n, err := w.r.Read(p)
	w.moved()
	return n, err
}

func (w *watched) Seek(off int64, whence int) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.r == nil {
		return 0, errDetached
	}
	return w.r.Seek(off, whence)
}

func (w *watched) detach() {
	w.mu.Lock()
	w.r = nil
	w.mu.Unlock()
}

// A watchedSum is a watched with a known SHA-256.
type watchedSum struct {
	*watched
	sum parts.Summed
}

func (w watchedSum) SHA256() [32]byte { return w.sum.SHA256() }
