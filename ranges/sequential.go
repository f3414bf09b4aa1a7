package ranges

import (
	"context"
	"io"
	"sync"
)

// These sizes and numbers determine how a Sequential reads ahead. The first window is
// short, for readers that read only the beginning.
const (
	firstWindow = 256 << 10
	windowMost  = 4 << 20
	windows     = 4 // windows that are fetched at the same time
)

// A Sequential is an io.ReaderAt for reading a source front to back: it reads
// ahead in large requests, several at a time. A read before the window goes to
// the source; a read after it moves the window there. It is safe for use by
// several goroutines, which wait for each other. Close ends reading ahead.
type Sequential struct {
	src    ReaderAt
	ctx    context.Context
	cancel context.CancelFunc
	size   int64

	mu    sync.Mutex
	next  int64 // offset after the last read
	ahead []*window
	len   int64 // length of the next window
}

// A window is a range of bytes that is read ahead.
type window struct {
	Range
	done chan struct{}
	err  error
}

// NewSequential returns a Sequential of a source of size bytes. Reading ahead ends
// when ctx is cancelled.
func NewSequential(ctx context.Context, src ReaderAt, size int64) *Sequential {
	s := &Sequential{src: src, size: size, len: firstWindow}
	s.ctx, s.cancel = context.WithCancel(ctx)
	return s
}

// ReadAt implements io.ReaderAt, and starts to read the bytes that follow.
func (s *Sequential) ReadAt(p []byte, off int64) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if off < s.next && (len(s.ahead) == 0 || off < s.ahead[0].Off) {
		return s.src.ReadAt(p, off)
	}
	for n < len(p) && off < s.size {
		w, err := s.window(off)
		if err != nil {
			return n, err
		}
		k := copy(p[n:], w.Data[off-w.Off:])
		n += k
		off += int64(k)
		s.next = max(s.next, off)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// window returns the window that holds the byte at off, and requests those after
// it. It keeps the previous one, for readers that go back a little.
func (s *Sequential) window(off int64) (*window, error) {
	for len(s.ahead) > 1 && s.ahead[1].Off <= off {
		s.ahead = s.ahead[1:]
	}
	end := off
	if n := len(s.ahead); n > 0 {
		last := s.ahead[n-1]
		if end = last.Off + int64(len(last.Data)); end < off {
			s.ahead, end, s.len = nil, off, firstWindow
		}
	}
	for len(s.ahead) < windows && end < s.size {
		w := &window{Range: Range{end, make([]byte, min(s.len, s.size-end))}, done: make(chan struct{})}
		s.ahead = append(s.ahead, w)
		end += int64(len(w.Data))
		s.len = min(2*s.len, windowMost)
		go func() {
			defer close(w.done)
			w.err = s.src.ReadRanges(s.ctx, []Range{w.Range})
		}()
	}
	w := s.ahead[0]
	<-w.done
	if w.err != nil {
		for _, w := range s.ahead {
			<-w.done
		}
		s.ahead = nil
	}
	return w, w.err
}

// Close stops reading ahead and waits for the requests in flight.
func (s *Sequential) Close() error {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.ahead {
		<-w.done
	}
	s.ahead = nil
	return nil
}
