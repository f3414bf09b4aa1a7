package b2nd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/internal/items"
	"github.com/seed03b80dae/blosc2/internal/watch"
)

// A Follower reads the array in a file while its Writer adds rows, like tail
// -f. It delivers every flushed row some milliseconds later, once and in order,
// whatever happens to the Writer:
//
//   - The file may be missing or empty at first.
//   - If the Writer dies, the Follower waits for the next one, by AppendFile.
//   - After the Writer has closed the array and all rows were delivered, the error
//     is io.EOF. With KeepFollowing the Follower waits for a Writer that continues.
//   - A file that is replaced by a compacted copy is followed in that copy.
//   - If the array has lost rows already delivered, even if others took their place
//     since, or was replaced by another one, the error is blosc2.ErrChanged.
//
// A Follower starts no goroutine, and reads only what is new: see Array.Refresh. It is
// for one goroutine at a time, but Close may be called by another one. Errors are
// sticky.
type Follower struct {
	path   string
	opts   []Option
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	watch *watch.Watch
	file  *watch.File // nil while the file does not exist
	a     *Array      // nil while the header is incomplete
	rows  int64       // number of rows delivered
	trail []byte      // the last of these rows
	seen  *Array      // the array as it was when these rows were delivered
	buf   []byte
	retry watch.Retry
	err   error
}

// KeepFollowing makes a Follower wait where it would return io.EOF: for a
// Writer that continues the array, or for another file at the path with the
// rows delivered so far. Open ignores it.
func KeepFollowing() Option { return func(c *config) { c.keep = true } }

// FollowFile returns a Follower of the array in the named file, and does not
// wait for it. When ctx is done, its methods return context.Cause(ctx). Close
// must be called. The options are those of Open.
func FollowFile(ctx context.Context, path string, opts ...Option) (*Follower, error) {
	if err := framing.Need(ctx != nil, "context", "a context.Context"); err != nil {
		return nil, err
	}
	f := &Follower{path: path, opts: slices.Clone(opts), watch: watch.New(path, 0)}
	f.opts = append(f.opts, FrameOptions(frame.AllowTorn()))
	f.ctx, f.cancel = context.WithCancelCause(ctx)
	return f, nil
}

// Next waits for new rows, and returns the bytes of some of them: whole rows,
// in C order, at most those of one chunk along the first dimension and not much
// more than 16 MiB. They are valid until the next call.
func (f *Follower) Next() (rows []byte, err error) {
	if err := f.next(func(*Array, Window) error { return nil }); err != nil {
		return nil, err
	}
	return f.buf, nil
}

// NextSlice is like Next, and returns items of type T. As for Read, a type other
// than the array's results in a *blosc2.OptionError; f remains usable. The caller
// owns the slice.
func NextSlice[T any](f *Follower) (rows []T, err error) {
	err = f.next(func(a *Array, w Window) error {
		plan, err := readPlan[T](a)
		if err != nil {
			return err
		}
		_, n, err := a.take(w, plan.MemSize())
		if err != nil {
			return err
		}
		rows = make([]T, n)
		if b := items.Bytes(rows); plan.Direct() {
			copy(b, f.buf)
			plan.Turn(b)
		} else {
			plan.Load(b, f.buf)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// Array returns the array as of the last call of Next or NextSlice, for its shape
// and type, or nil before the first. It must not be used after the next method
// call, and must not be closed.
func (f *Follower) Array() *Array {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}

// Rows returns the number of rows delivered so far.
func (f *Follower) Rows() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rows
}

// mostRows is the number of bytes of rows to read at a time, unless one row has more.
// trailLen is that of delivered rows to compare whenever the header has changed, as in
// package stream.
const (
	mostRows = 16 << 20
	trailLen = 4 << 10
)

// window returns the next available rows.
func (f *Follower) window() (Window, bool) {
	if f.a == nil || f.a.Shape()[0] <= f.rows {
		return nil, false
	}
	g := f.a.grid
	end := f.a.Shape()[0]
	if c := g.chunk[0]; c > 0 {
		end = min(end, f.rows/c*c+c)
	}
	if row := product(g.shape[1:]) * g.item; row > 0 {
		end = min(end, f.rows+max(1, mostRows/row))
	}
	w := All(f.a.Shape())
	w[0] = Span{Start: f.rows, Stop: end, Step: 1}
	return w, true
}

// next waits for rows, and reads some of them into f.buf. They are delivered unless use
// returns an error.
func (f *Follower) next(use func(a *Array, w Window) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.err == nil {
		if f.ctx.Err() != nil {
			f.fail(context.Cause(f.ctx))
			break
		}
		again, err := f.look()
		w, more := f.window()
		if err == nil && more {
			a := f.a
			if err = f.read(w); err == nil {
				err = use(a, w)
			}
			if err == nil {
				f.deliver(a, w[0].Stop)
				f.retry.Succeeded()
				return nil
			}
			if errors.Is(err, blosc2.ErrOption) { // the error is about the type, not the file
				return err
			}
		}
		switch {
		case err == nil:
			f.retry.Succeeded()
			if !again {
				f.watch.Wait(f.ctx)
			}
		case err == io.EOF:
			f.fail(err)
		default:
			if final, _ := f.retry.Failed(f.ctx, err); final {
				f.fail(fsio.WithPath("follow", f.path, err))
			}
		}
	}
	return f.err
}

// read reads rows of f.a into f.buf. If the header has changed, rows that were delivered
// may have been taken back, and others may be in their place, or in that of w.
func (f *Follower) read(w Window) error {
	_, n, err := f.a.take(w, int(f.a.grid.item))
	if err != nil {
		return err
	}
	size := int(n * f.a.grid.item)
	f.buf = slices.Grow(f.buf[:0], size)[:size]
	if err := f.a.ReadWindow(f.buf, w); err != nil || !framing.HeaderChanged(f.a.f) {
		return err
	}
	now, err := f.a.Refresh()
	if err == nil {
		err = f.continues(now)
	}
	if err == nil {
		err = sameRows(now, w[0].Stop, f.buf[max(len(f.buf)-now.trailLen(), 0):])
	}
	if err == nil {
		f.a = now
	}
	return err
}

// deliver counts the rows up to end, those in f.buf, as delivered.
func (f *Follower) deliver(a *Array, end int64) {
	most := a.trailLen()
	b := f.buf[max(len(f.buf)-most, 0):]
	drop := max(len(f.trail)+len(b)-most, 0)
	f.trail = append(f.trail[:copy(f.trail, f.trail[drop:])], b...)
	f.rows, f.seen = end, a
}

// trailLen returns how many bytes of delivered rows to compare.
func (a *Array) trailLen() int {
	row := int(product(a.grid.shape[1:]) * a.grid.item)
	return max(trailLen/max(row, 1), 1) * row
}

// Close ends the Follower and closes the file. If Next waits in another goroutine it
// returns blosc2.ErrClosed.
func (f *Follower) Close() error {
	f.cancel(blosc2.ErrClosed)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail(blosc2.ErrClosed)
	return nil
}

// fail makes err the Follower's error, if it has none, and releases what it holds.
func (f *Follower) fail(err error) {
	if f.err == nil {
		f.err = err
	}
	f.watch.Close()
	if f.file != nil {
		f.file.Close()
	}
	f.file, f.a, f.seen, f.trail = nil, nil, nil, nil
}

// look sets f.a to the current array. again reports whether to look again without
// waiting. The error is io.EOF if no more rows can follow.
func (f *Follower) look() (again bool, err error) {
	if f.a != nil && f.a.Shape()[0] > f.rows && !f.retry.Failing() {
		return false, nil // deliver known rows first, because a Refresh takes longer with more chunks
	}
	if f.file == nil {
		if f.file, err = watch.Open(f.path); f.file == nil {
			return false, err
		}
		f.watch.Add(f.file)
	}
	replaced := f.file.Replaced(f.path) // checked before the last look at the old file, so that nothing is missed
	if err := f.refresh(); err != nil {
		return false, err
	}
	switch {
	case f.a != nil && f.a.Shape()[0] > f.rows:
		return false, nil
	case replaced:
		return f.follow()
	case f.a != nil && !f.a.cfg.keep && !f.a.f.Open() && f.a.f.Order() != frame.Unsealed:
		return false, io.EOF
	}
	return false, nil
}

// refresh opens the array, or refreshes it.
func (f *Follower) refresh() error {
	if f.a == nil {
		a, err := f.open(f.file)
		if err == nil {
			f.a = a
		}
		return err
	}
	now, err := f.a.Refresh()
	if err == nil && now != f.a {
		err = f.continues(now)
	}
	if err == nil {
		f.a = now
	}
	return err
}

// open opens the array in a file. It returns nil while the header is incomplete.
func (f *Follower) open(file *watch.File) (*Array, error) {
	size, err := file.Size()
	if err != nil {
		return nil, err
	}
	if fresh, err := framing.Unborn(file, size); fresh || err != nil {
		return nil, err
	}
	a, err := Open(file, size, f.opts...)
	if err != nil {
		return nil, err
	}
	if len(a.Shape()) == 0 {
		return nil, shapeErrorf("an array of no dimensions has no rows to follow")
	}
	return a, nil
}

// continues returns an error unless now begins with the rows delivered.
func (f *Follower) continues(now *Array) error {
	switch {
	case now.Shape()[0] < f.rows || now.text != f.a.text || !slices.Equal(now.Shape()[1:], f.a.Shape()[1:]):
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChanged, "%d rows of %s %v were read, and there are now %d of %s %v", f.rows, f.a.text, f.a.Shape()[1:], now.Shape()[0], now.text, now.Shape()[1:])
	case now.f.Header() == f.a.f.Header(): // the writer has only flushed
		return nil
	}
	return sameRows(now, f.rows, f.trail)
}

// sameRows returns an error unless the rows of a before row end are those in rows.
func sameRows(a *Array, end int64, rows []byte) error {
	if len(rows) == 0 {
		return nil
	}
	if n := a.Shape()[0]; n < end {
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChanged, "%d rows were read, and there are now %d", end, n)
	}
	w := All(a.Shape())
	w[0] = Span{Start: end - int64(len(rows))/(product(a.grid.shape[1:])*a.grid.item), Stop: end, Step: 1}
	now := make([]byte, len(rows))
	if err := a.ReadWindow(now, w); err != nil {
		return err
	}
	if !bytes.Equal(now, rows) {
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChanged, "row %d and those before it were read, and there are now others", end-1)
	}
	return nil
}

// follow switches to the file that is now at the path, if it holds the rows already
// delivered, as a compacted copy does.
func (f *Follower) follow() (again bool, err error) {
	file, err := watch.Open(f.path)
	if file == nil {
		return false, err
	}
	a, err := f.open(file)
	if err == nil && a != nil && f.a != nil {
		err = f.continues(a)
	}
	if err != nil {
		file.Close()
		return false, err
	}
	f.file.Close()
	f.file, f.a = file, a
	f.watch.Add(file)
	return true, nil
}
