// Package fartest provides a source for tests that counts its requests.
package fartest

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/seed03b80dae/blosc2/ranges"
)

// A Source simulates a remote source: each call takes Latency.
type Source struct {
	Data    []byte
	Latency time.Duration
	Price   ranges.Cost // zero means ranges.DefaultCost()

	mu       sync.Mutex
	waves    int // number of calls of ReadRanges and ReadAt
	requests int // number of ranges in all of these calls
	bytes    int64
	err      error
}

// ReadRanges fills rs.
func (s *Source) ReadRanges(ctx context.Context, rs []ranges.Range) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	time.Sleep(s.Latency)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	s.waves++
	for _, r := range rs {
		s.requests++
		s.bytes += int64(len(r.Data))
		if r.Off < 0 || r.Off > int64(len(s.Data)) || copy(r.Data, s.Data[r.Off:]) < len(r.Data) {
			return io.ErrUnexpectedEOF
		}
	}
	return nil
}

// Cost returns the cost of requests.
func (s *Source) Cost() ranges.Cost {
	if s.Price == (ranges.Cost{}) {
		return ranges.DefaultCost()
	}
	return s.Price
}

// ReadAt fills p with one request.
func (s *Source) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(s.Data)) {
		return 0, io.EOF
	}
	n := min(len(p), len(s.Data)-int(off))
	if err := s.ReadRanges(context.Background(), []ranges.Range{{Off: off, Data: p[:n]}}); err != nil {
		return 0, err
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Fail makes all later reads fail with err.
func (s *Source) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// Counts holds the numbers of requests to a Source since the last call of Take.
type Counts struct {
	Waves, Requests int
	Bytes           int64
}

// Take returns the counts and resets them.
func (s *Source) Take() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := Counts{s.waves, s.requests, s.bytes}
	s.waves, s.requests, s.bytes = 0, 0, 0
	return c
}
