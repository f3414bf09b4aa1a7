package frame

import (
	"context"
	"io"
	"iter"
	"sync"

	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/workpool"
	"github.com/seed03b80dae/blosc2/ranges"
)

// Sequential reads from a remote source fetch in waves. The first waves are small, for
// readers that stop after a few chunks.
const (
	firstWave = 1 << 20
	waveBytes = 2 * ranges.Most // stored bytes of chunks in a wave
	waves     = 6               // waves in memory: the current one, and ten requests in flight
)

// A lookahead fetches the next chunks while the caller processes the current
// ones. It belongs to one goroutine. A nil lookahead does nothing.
type lookahead struct {
	f      *Reader
	pool   *workpool.Pool[wave]
	cancel context.CancelFunc
	job    *workpool.Job[wave] // the current wave
	left   int                 // wants of the current wave that Step has not reached yet

	mu   sync.Mutex
	held map[*ranges.Held]bool
}

// A wave is a group of wants that are fetched together.
type wave struct {
	wants []framing.Want
	held  *ranges.Held
}

// lookahead begins to fetch wants. The first wave has about goal bytes: see
// framing.ReadAhead. A wave ends where its last request is full, so that no request is
// short.
func (f *Reader) lookahead(ctx context.Context, wants iter.Seq[framing.Want], goal int64) *lookahead {
	if f.ahead == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &lookahead{f: f, cancel: cancel, held: map[*ranges.Held]bool{}}
	l.pool = workpool.New(waves, waves, func(_ int, b *wave) error { return l.fetch(ctx, b) })
	l.pool.Blocking()
	l.pool.Start(ctx, func() error {
		var j *workpool.Job[wave]
		var err error
		var requests, room int64 // requests left in the wave, and bytes left in the current request
		for w := range wants {
			n := f.cost(w)
			if n > room {
				requests--
				room = min(goal, ranges.Most)
			}
			if j != nil && (requests <= 0 || len(j.Value.wants) >= waveWants) {
				l.pool.Submit(j)
				j, goal = nil, min(4*goal, waveBytes)
			}
			if j == nil {
				if j, err = l.pool.Acquire(); err != nil {
					return err
				}
				j.Value.wants = j.Value.wants[:0]
				requests, room = max(goal/ranges.Most, 1), min(goal, ranges.Most)
			}
			j.Value.wants = append(j.Value.wants, w)
			room -= n
		}
		if j != nil {
			l.pool.Submit(j)
		}
		return nil
	})
	return l
}

// waveWants is the largest number of wants in a wave. It bounds the memory for wants of
// chunks that take hardly any bytes.
const waveWants = 8 << 10

// cost returns approximately the number of bytes that a want takes.
func (f *Reader) cost(w framing.Want) int64 {
	n := f.StoredLen(w.Chunk)
	size, part := int64(f.h.ChunkSize), int64(len(w.Blocks))*int64(f.h.BlockSize)
	if w.Blocks != nil && part < size {
		n = n * part / size
	}
	return n
}

// fetch fetches one wave. The workers of the pool call it.
func (l *lookahead) fetch(ctx context.Context, b *wave) error {
	held, err := l.f.fetchWants(ctx, b.wants...)
	b.held = held
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held[held] = true
	return err
}

// Next drops the current wave and waits until the next one is fetched. It returns the
// number of wants in that wave. After the last wave the error is io.EOF.
func (l *lookahead) Next() (wants int, err error) {
	l.drop()
	j, err := l.pool.Next()
	if j == nil {
		return 0, err
	}
	l.job = j
	return len(j.Value.wants), err
}

func (l *lookahead) drop() {
	if l.job == nil {
		return
	}
	l.mu.Lock()
	delete(l.held, l.job.Value.held)
	l.mu.Unlock()
	l.job.Value.held.Release()
	l.pool.Release(l.job)
	l.job = nil
}

// Close ends fetching, and drops all that was fetched.
func (l *lookahead) Close() {
	if l == nil {
		return
	}
	l.cancel()
	l.job = nil
	l.pool.Close()
	l.pool.Produced(true)
	for held := range l.held {
		held.Release()
	}
	l.held = nil
}

// Step waits until the next want is fetched. After the last want it does nothing.
func (l *lookahead) Step() (err error) {
	if l == nil {
		return nil
	}
	if l.left == 0 {
		if l.left, err = l.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	l.left--
	return nil
}

// inOrder returns the lookahead of a reader that reads the chunks in order,
// beginning with n.
func (f *Reader) inOrder(ctx context.Context, n int64) *lookahead {
	if f.ahead == nil {
		return nil
	}
	from := n
	return f.lookahead(ctx, func(yield func(framing.Want) bool) {
		for n := from; n < f.NumChunks() && yield(framing.Want{Chunk: n}); n++ {
		}
	}, firstWave)
}
