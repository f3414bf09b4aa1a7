package stream

import (
	"context"
	"sync"
)

// A budget bounds the bytes in flight if chunks may have any size.
type budget struct {
	mu    sync.Mutex
	left  int64
	idle  int64 // bytes available when nothing is in flight
	ended bool  // waiting has ended
	freed chan struct{}
}

func (b *budget) reset(n int64) {
	b.left, b.idle, b.ended = n, n, false
	if b.freed == nil {
		b.freed = make(chan struct{}, 1)
	}
}

// end ends all waiting.
func (b *budget) end() {
	b.mu.Lock()
	b.ended = true
	b.mu.Unlock()
	b.give(0)
}

// try takes n bytes if they are available, nothing else is in flight, or
// waiting has ended.
func (b *budget) try(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	ok := b.ended || b.left >= n || b.left == b.idle
	if ok {
		b.left -= n
	}
	return ok
}

// take waits for n bytes and takes them.
func (b *budget) take(ctx context.Context, n int64) error {
	for !b.try(n) {
		select {
		case <-b.freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// give returns n bytes to the budget.
func (b *budget) give(n int64) {
	b.mu.Lock()
	b.left += n
	b.mu.Unlock()
	select {
	case b.freed <- struct{}{}:
	default:
	}
}
