package frame_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
)

// A second writer waits for the first one for the time that LockWait sets.
func TestLockWait(t *testing.T) {
	path := sealedOf(t, ramp(2500))
	unlock, err := frame.LockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	held := func(what string, err error) {
		t.Helper()
		var pe *fs.PathError
		if !errors.Is(err, blosc2.ErrLocked) || !errors.As(err, &pe) || pe.Path != path || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err = frame.LockFile(path, frame.LockWait(0))
	held("no waiting", err)
	for what, change := range map[string]func(...frame.Option) error{
		"OpenFile":    func(o ...frame.Option) error { _, err := frame.EditFile(path, o...); return err },
		"SealFile":    func(o ...frame.Option) error { return frame.SealFile(path, o...) },
		"RenewFile":   func(o ...frame.Option) error { return frame.RenewFile(path, o...) },
		"CompactFile": func(o ...frame.Option) error { return frame.CompactFile(path, o...) },
	} {
		held(what, change(frame.LockWait(20*time.Millisecond)))
	}
	why := errors.New("why")
	synctest.Test(t, func(t *testing.T) { // time passes while LockFile waits
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(why) })
		_, err := frame.LockFile(path, frame.Context(ctx), frame.LockWait(-1))
		if held("cancelled", err); !errors.Is(err, why) {
			t.Errorf("cancelled: %v", err)
		}
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err = frame.LockFile(path, frame.Context(ctx)); !errors.Is(err, why) || errors.Is(err, blosc2.ErrLocked) {
		t.Errorf("cancelled before: %v", err)
	}

	// All waiting writers get the lock, one at a time.
	data, more := ramp(2500), ramp(500)
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			e, err := frame.EditFile(path, frame.LockWait(-1))
			if err == nil {
				err = errors.Join(e.Append(more), e.Commit(), e.Close())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	f, err := frame.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if want := int64(len(data) + 5*len(more)); f.Size() != want {
		t.Errorf("%d bytes after five writers, want %d", f.Size(), want)
	}
}
