package stream

import (
	"cmp"
	"context"
	"io"
	"sort"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/internal/watch"
)

// A Follower reads a file while it is being written, like tail -f: it delivers
// what the writer flushes some milliseconds later, and then waits for more.
// Bytes are delivered once and in order, whatever happens to the writer:
//
//   - The file may be missing or empty at first.
//   - If the writer dies, the Follower waits for the next one, by AppendFile.
//   - After the writer has closed the frame and all of it was delivered, the error
//     is io.EOF, unless another frame follows it in the file. With KeepFollowing the
//     Follower waits for a writer that continues, or for a new file of that name.
//   - A file that is replaced by a compacted copy is followed in that copy.
//   - If a writer drops bytes already delivered (DropTail, Abort), even if others took their
//     place since, the error is blosc2.ErrChanged.
//
// Each flush costs reading the new bytes: see frame.Reader.Refresh. A Follower
// starts no goroutine. It is for one goroutine at a time, but Close may be
// called by another. Errors are sticky.
type Follower struct {
	cfg    followConfig
	path   string
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	watch *watch.Watch
	file  *watch.File // nil while the file does not exist
	base  int64       // offset of the frame in the file
	r     *frame.Reader
	h     *header.Header // header of the frame that held the last bytes
	at    int64          // offset in the frame of the next byte
	lead  []byte         // the first delivered bytes of the frame
	trail []byte         // the last delivered bytes, which end at at
	buf   []byte
	data  []byte // read and not delivered yet
	retry watch.Retry
	err   error
}

// If another file gets the name, or the frame is refreshed, a Follower compares these
// many bytes with those that it delivered: the first ones show whether the file holds the
// same data, and the last ones whether delivered bytes were replaced. Different data may
// begin with the same values, but 256 bytes rarely agree. The last bytes are read again
// whenever the frame is opened again, and 4 KiB are a page of the system's cache.
const (
	leadLen  = 256
	trailLen = 4 << 10
)

// FollowFile returns a Follower of the named file, and does not wait for it.
// When ctx is done, the methods of the Follower return context.Cause(ctx).
// Close must be called.
func FollowFile(ctx context.Context, path string, opts ...FollowOption) (*Follower, error) {
	if err := framing.Need(ctx != nil, "context", "a context.Context"); err != nil {
		return nil, err
	}
	f := &Follower{path: path}
	for _, o := range opts {
		if o != nil {
			o(&f.cfg)
		}
	}
	if err := f.cfg.check(); err != nil {
		return nil, err
	}
	f.at = f.cfg.start
	f.ctx, f.cancel = context.WithCancelCause(ctx)
	f.watch = watch.New(path, f.cfg.poll)
	return f, nil
}

// Offset returns the offset in the frame of the next byte to be delivered.
func (f *Follower) Offset() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at - int64(len(f.data))
}

// Header returns the header of the frame that holds the bytes read last. Before the
// first bytes it waits for them. It makes ReadSlice read the items of a log as they are
// written.
func (f *Follower) Header() (*header.Header, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.h == nil {
		if err := f.fill(); err != nil {
			return nil, err
		}
	}
	return f.h, nil
}

// Read reads decoded bytes, and waits while there are none.
func (f *Follower) Read(p []byte) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
	if err := f.fill(); err != nil {
		return 0, err
	}
	n = copy(p, f.data)
	f.data = f.data[n:]
	return n, nil
}

// WriteTo writes decoded bytes to w until the end.
func (f *Follower) WriteTo(w io.Writer) (n int64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		if err := f.fill(); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
		k, err := fsio.WriteFull(w, f.data)
		n += int64(k)
		f.data = f.data[k:]
		if err != nil {
			return n, err
		}
	}
}

// NextChunk returns the available bytes of the current chunk, all of it or the
// part that was flushed, and waits while there are none. The bytes are valid
// until the next method call.
func (f *Follower) NextChunk() ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.fill(); err != nil {
		return nil, err
	}
	data := f.data
	f.data = nil
	return data, nil
}

// Close ends the Follower and closes the file. A method that waits in another
// goroutine returns blosc2.ErrClosed.
func (f *Follower) Close() error {
	f.cancel(blosc2.ErrClosed)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail(blosc2.ErrClosed)
	return nil
}

// fail makes err the Follower's error and releases what it holds.
func (f *Follower) fail(err error) error {
	if f.err == nil {
		f.err = err
	}
	f.data = nil
	f.watch.Close()
	f.drop()
	return f.err
}

// drop closes the file.
func (f *Follower) drop() {
	if f.file != nil {
		f.file.Close()
	}
	f.file, f.r = nil, nil
}

// fill waits for data.
func (f *Follower) fill() error {
	for f.err == nil && len(f.data) == 0 {
		if f.ctx.Err() != nil {
			return f.fail(context.Cause(f.ctx))
		}
		found, err := f.look()
		if err == nil && found {
			err = f.read()
		}
		switch {
		case err == nil && found:
			f.retry.Succeeded()
		case err == nil:
			f.watch.Wait(f.ctx)
		case err == io.EOF:
			return f.fail(err)
		default:
			final, waited := f.retry.Failed(f.ctx, err)
			if final {
				return f.fail(fsio.WithPath("follow", f.path, err))
			}
			if waited {
				f.r = nil // the next call opens the frame again
			}
		}
	}
	return f.err
}

// read reads the available part of the chunk that holds the next byte.
func (f *Follower) read() error {
	if f.r == nil || f.at >= f.r.Size() {
		return nil
	}
	var start, end int64
	var err error
	n := int64(sort.Search(int(f.r.NumChunks()), func(i int) bool {
		_, e, bad := f.r.Extent(int64(i))
		if bad != nil {
			err = bad
		}
		return e > f.at
	}))
	if err == nil {
		start, end, err = f.r.Extent(n)
	}
	if err != nil {
		return err
	}
	if int64(cap(f.buf)) < end-f.at {
		f.buf = make([]byte, max(end-f.at, min(end-start, int64(f.r.Header().ChunkSize))))
	}
	b, at := f.buf[:end-f.at], f.at
	if n, err := f.r.ReadAt(b, at); n < len(b) {
		return err
	}
	if framing.HeaderChanged(f.r) { // the writer may have put other bytes in the place of delivered ones, or of b
		if err := f.refresh(); err != nil || f.at != at {
			return err
		}
		last := b[max(0, len(b)-trailLen):]
		if ok, err := holds(f.r, last, end-int64(len(last))); err != nil || !ok {
			return cmp.Or(err, error(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChanged, "bytes were replaced while they were read")))
		}
	}
	if f.at == int64(len(f.lead)) && len(f.lead) < leadLen {
		f.lead = append(f.lead, b[:min(len(b), leadLen-len(f.lead))]...)
	}
	f.trail = append(f.trail, b[max(0, len(b)-trailLen):]...)
	if k := len(f.trail) - trailLen; k > 0 {
		f.trail = f.trail[:copy(f.trail, f.trail[k:])]
	}
	f.at += int64(len(b))
	f.data, f.h = b, f.r.Header()
	return nil
}
