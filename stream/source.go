package stream

import (
	"io"
	"sync"
	"time"
)

// A stoppable is a source that may block: a socket or a pipe. Once it is stopped
// Read returns an error, and one that is blocked is interrupted if the source has
// a SetReadDeadline method.
type stoppable struct {
	r io.Reader

	mu      sync.Mutex
	through sync.Cond // signals the end of a Read
	reading bool
	cause   error // what Read returns after it was stopped
}

func newStoppable(r io.Reader) *stoppable {
	g := &stoppable{r: r}
	g.through.L = &g.mu
	return g
}

// reset makes g read from another source. No Read may be in progress.
func (g *stoppable) reset(r io.Reader) {
	g.mu.Lock()
	g.r, g.cause = r, nil
	g.mu.Unlock()
}

// Read reads from the source.
func (g *stoppable) Read(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cause != nil {
		return 0, g.cause
	}
	g.reading = true
	defer func() { // deferred, because the source may panic
		g.reading = false
		g.through.Broadcast()
	}()
	n, err := g.pass(p)
	if g.cause != nil {
		return 0, g.cause
	}
	return n, err
}

// pass reads from the source without the lock.
func (g *stoppable) pass(p []byte) (int, error) {
	g.mu.Unlock()
	defer g.mu.Lock()
	return g.r.Read(p)
}

// stop stops the source. free is false if a Read that cannot be interrupted is in
// progress; otherwise no Read is in progress when stop returns. The source's read
// deadline is cleared if it was used.
func (g *stoppable) stop(cause error) (free bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cause == nil {
		g.cause = cause
	}
	if !g.reading {
		return true
	}
	d, ok := g.r.(interface{ SetReadDeadline(time.Time) error })
	if !ok || d.SetReadDeadline(time.Unix(1, 0)) != nil {
		return false
	}
	for g.reading {
		g.through.Wait()
	}
	d.SetReadDeadline(time.Time{})
	return true
}

// place returns the offset of a source that can be read at any offset, and how
// many bytes follow. It tries the methods: a pipe is an *os.File too, but
// cannot seek, and a file of the kernel without a size must be read
// sequentially. scratch is memory for one byte.
func place(r io.Reader, scratch []byte) (at io.ReaderAt, off, size int64, ok bool) {
	s, ok := r.(io.Seeker)
	if !ok {
		return nil, 0, 0, false
	}
	off, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, 0, 0, false
	}
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, 0, false
	}
	if _, err := s.Seek(off, io.SeekStart); err != nil || end <= off {
		return nil, 0, 0, false
	}
	at, ok = r.(io.ReaderAt)
	if !ok {
		at = &seekReader{s: s, r: r}
	}
	if _, err := at.ReadAt(scratch, off); err != nil && err != io.EOF {
		return nil, 0, 0, false
	}
	return at, off, end - off, true
}

// A seekReader implements ReadAt by seeking.
type seekReader struct {
	mu sync.Mutex
	s  io.Seeker
	r  io.Reader
}

func (r *seekReader) ReadAt(p []byte, off int64) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.s.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(r.r, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}
