package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/parts"
)

// partBuffers is the number of parts in memory: the first, the one being filled, and
// one being sent.
const partBuffers = 3

// abortTime limits the time for dropping the parts. It is the same as
// DefaultStall.
const abortTime = 30 * time.Second

type uploadConfig struct {
	part   int64
	expect int64
	stall  time.Duration
}

// An UploadOption changes how an object is put into a store.
type UploadOption func(*uploadConfig)

// PartSize sets the bytes of a part; DefaultPart unless given. A size that the store
// does not accept, with S3 less than 5 MiB, results in a *blosc2.OptionError.
func PartSize(bytes int64) UploadOption { return func(c *uploadConfig) { c.part = bytes } }

// Expect sets the largest expected size in bytes, so that parts are large
// enough for a store that limits their number.
func Expect(bytes int64) UploadOption { return func(c *uploadConfig) { c.expect = bytes } }

// PutStall sets how long a part may make no progress: the store neither receives its
// bytes nor answers. Then the part is put again, at most twice. The store may take ten
// times as long to make the object from its parts. When all this is exceeded, the
// error is ErrStalled. The default is DefaultPutStall.
func PutStall(d time.Duration) UploadOption { return func(c *uploadConfig) { c.stall = d } }

// An Upload is an object being written to a store. Parts are sent while more is
// written; the first part stays in memory until Close, where WriteAt can
// overwrite it. Its methods are for one goroutine at a time. It holds three
// parts in memory.
//
// stream.NewWriter and b2nd.NewWriter treat it like a file, and write a sealed
// frame; but prefer Create and CreateArray, with which an incomplete frame
// never appears.
type Upload struct {
	object parts.Object
	rules  parts.Rules
	cfg    uploadConfig
	ctx    context.Context
	cancel context.CancelCauseFunc
	caller context.Context

	first   []byte // part 1, which may be overwritten until Close
	whole   bool   // part 1 has its final length
	cur     []byte // the part being filled
	n       int    // number of that part
	size    int64  // number of bytes written so far
	buffers chan []byte

	group sync.WaitGroup
	mu    sync.Mutex
	done  []parts.Part // the parts in the store
	err   error
	ended bool
}

// NewUpload begins an object. ctx is for all of it: when it is cancelled, the
// object does not appear, and Write and Close return its cause.
func NewUpload(ctx context.Context, object parts.Object, opts ...UploadOption) (*Upload, error) {
	if err := framing.Need(ctx != nil, "context", "a context.Context"); err != nil {
		return nil, err
	}
	if err := framing.Need(object != nil, "object", "an object that a store's Put returned"); err != nil {
		return nil, err
	}
	u := &Upload{object: object, rules: object.Rules(), cfg: uploadConfig{part: DefaultPart, stall: DefaultPutStall}, caller: ctx, n: 2}
	for _, o := range opts {
		if o != nil {
			o(&u.cfg)
		}
	}
	u.object = steady{object, u.cfg.stall}
	if u.rules.Count > 0 {
		u.cfg.part = max(u.cfg.part, u.cfg.expect/int64(u.rules.Count)+1)
	}
	if low, high := max(1, u.rules.Min), u.rules.Max; u.cfg.part < low || high > 0 && u.cfg.part > high {
		span := fmt.Sprintf("at least %d bytes", low)
		if high > 0 {
			span = fmt.Sprintf("%d to %d bytes", low, high)
		}
		return nil, &blosc2.OptionError{Option: "size of a part", Value: u.cfg.part, Range: span}
	}
	u.ctx, u.cancel = context.WithCancelCause(ctx)
	if !u.rules.Head {
		u.first = make([]byte, 0, u.cfg.part)
	}
	u.buffers = make(chan []byte, partBuffers-1)
	for range partBuffers - 1 {
		u.buffers <- nil
	}
	return u, nil
}

// Write appends p. Other goroutines put full parts into the store; Write waits
// if there are too many.
func (u *Upload) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		if err := u.failure(); err != nil {
			return n, err
		}
		k := 0
		if !u.whole {
			k = min(len(p), int(u.cfg.part)-len(u.first))
			u.first = append(u.first, p[:k]...)
			u.whole = int64(len(u.first)) == u.cfg.part || u.rules.Head
		} else {
			if u.cur == nil {
				if err := u.begin(); err != nil {
					return n, err
				}
			}
			k = min(len(p), cap(u.cur)-len(u.cur))
			u.cur = append(u.cur, p[:k]...)
			if len(u.cur) == cap(u.cur) {
				u.put()
			}
		}
		n += k
		u.size += int64(k)
		p = p[k:]
	}
	return n, nil
}

// begin obtains memory for the next part, and waits if none is free.
func (u *Upload) begin() error {
	if u.rules.Count > 0 && u.n > u.rules.Count {
		return u.fail(fmt.Errorf("%w: the store limits an object to %d parts, here of %d bytes; use larger ones (PartSize, Expect)", blosc2.ErrTooLarge, u.rules.Count, u.cfg.part))
	}
	select {
	case b := <-u.buffers:
		if size := u.partSize(u.n); int64(cap(b)) != size {
			b = make([]byte, 0, size)
		}
		u.cur = b[:0]
		return nil
	case <-u.ctx.Done():
		return u.fail(context.Cause(u.ctx))
	}
}

// partSize returns the bytes of part n. Parts grow after half of the store's number
// of parts, if the store allows that.
func (u *Upload) partSize(n int) int64 {
	size := u.cfg.part
	if u.rules.Grow && u.rules.Count > 0 {
		for step := u.rules.Count / 10; step > 0 && n > u.rules.Count/2; n -= step {
			size *= 2
		}
	}
	if u.rules.Max > 0 {
		size = min(size, u.rules.Max)
	}
	return size
}

// put puts the current part into the store, in a new goroutine.
func (u *Upload) put() {
	n, p := u.n, u.cur
	u.n, u.cur = n+1, nil
	u.group.Go(func() {
		u.send(n, p)
		u.buffers <- p
	})
}

// send puts part n into the store. An error becomes that of u.
func (u *Upload) send(n int, p []byte) {
	tag, err := u.object.Put(u.ctx, n, bytes.NewReader(p), int64(len(p)))
	if err != nil {
		err = fmt.Errorf("part %d: %w", n, err)
		if cause := context.Cause(u.caller); cause != nil { // the client may have returned another error
			err = cause
		}
		u.fail(err)
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.done = append(u.done, parts.Part{Number: n, Size: int64(len(p)), Tag: tag})
}

// fail makes err the error of u, unless it has one, and ends its requests.
func (u *Upload) fail(err error) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.err == nil {
		u.err = err
		u.cancel(err)
	}
	return u.err
}

// failure returns the error of u.
func (u *Upload) failure() error {
	if err := context.Cause(u.caller); err != nil {
		return u.fail(err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.err == nil && u.ended {
		return blosc2.ErrClosed
	}
	return u.err
}

// WriteAt overwrites bytes of the first part.
func (u *Upload) WriteAt(p []byte, off int64) (int, error) {
	if err := u.failure(); err != nil {
		return 0, err
	}
	if end := off + int64(len(p)); off >= 0 && off <= u.size && u.size == int64(len(u.first)) && end > u.size && end <= u.cfg.part {
		u.first = append(u.first, make([]byte, end-u.size)...) // part 1 is still the only part
		u.size = end
	}
	if off < 0 || off > u.size || len(p) > 0 && off+int64(len(p)) > int64(len(u.first)) {
		return 0, fmt.Errorf("%w: an object in a store can only be changed in its first %d bytes while it is written", errors.ErrUnsupported, len(u.first))
	}
	return copy(u.first[min(off, int64(len(u.first))):], p), nil
}

// Seek returns the offset of Write, which cannot be changed.
func (u *Upload) Seek(off int64, whence int) (int64, error) {
	if off == 0 && whence != io.SeekStart || off == u.size && whence == io.SeekStart {
		return u.size, nil
	}
	return u.size, fmt.Errorf("%w: an object in a store is written front to back", errors.ErrUnsupported)
}

// Checkpoint returns an error that wraps errors.ErrUnsupported, because an object does
// not exist before Close. Checkpoint of a stream.Writer to the Upload returns the same
// error.
func (u *Upload) Checkpoint() error {
	return fmt.Errorf("an object appears in its store at Close, and not before; it has no checkpoints: %w", errors.ErrUnsupported)
}

// Size returns the number of bytes written so far.
func (u *Upload) Size() int64 { return u.size }

// Close puts the remaining parts into the store, among them the first one, and
// completes the object. After an error all parts are dropped, and an earlier
// object of that name remains. If they cannot be dropped, because the store does not
// answer for example, the error also wraps ErrPartsRemain.
func (u *Upload) Close() error {
	if u.ended {
		return u.err
	}
	if u.failure() == nil && len(u.cur) > 0 {
		u.put()
	}
	if u.rules.Head { // the header may be an object of its own, after the others
		u.group.Wait()
	}
	if u.failure() == nil {
		u.send(1, u.first)
	}
	u.group.Wait()
	if u.failure() == nil {
		slices.SortFunc(u.done, func(a, b parts.Part) int { return a.Number - b.Number })
		if err := u.object.Complete(u.ctx, u.done); err != nil {
			u.fail(err)
		}
	}
	return u.end()
}

// Abort drops all parts in the store. It returns err, or blosc2.ErrClosed if
// that is nil, or an earlier error of u. After Close it does nothing, so it can
// be deferred.
func (u *Upload) Abort(err error) error {
	if u.ended {
		return u.err
	}
	if err == nil {
		err = blosc2.ErrClosed
	}
	u.fail(err)
	u.group.Wait()
	return u.end()
}

// end drops all parts after an error.
func (u *Upload) end() error {
	u.ended = true
	u.first, u.cur, u.buffers = nil, nil, nil
	if u.err != nil {
		u.err = dropParts(u.caller, u.object, u.err)
	}
	u.cancel(nil)
	return u.err
}

// dropParts drops the parts of an object after err, and returns err. If that fails too,
// the error also wraps ErrPartsRemain. Cancelling ctx does not stop it.
func dropParts(ctx context.Context, object parts.Object, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTime)
	defer cancel()
	if failed := object.Abort(ctx); failed != nil {
		return fmt.Errorf("%w; %w: %w", err, ErrPartsRemain, failed)
	}
	return err
}
