package remote

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/seed03b80dae/blosc2/ranges"
)

// ReadRanges implements ranges.ReaderAt, with few requests, which read no more
// than the ranges and small gaps between them. It does not repeat a request of
// another goroutine in progress.
func (o *Object) ReadRanges(ctx context.Context, rs []ranges.Range) error {
	return o.read(ctx, rs, 1)
}

// read is ReadRanges with requests from and to multiples of unit, which divides
// pageSize.
func (o *Object) read(ctx context.Context, rs []ranges.Range, unit int64) error {
	for {
		err := o.readRanges(ctx, rs, unit)
		// The page was requested by another goroutine, and the context of that
		// goroutine was cancelled.
		var other *canceledError
		if errors.As(err, &other) && ctx.Err() == nil && o.ctx.Err() == nil {
			continue
		}
		return o.wrap("read", err)
	}
}

func (o *Object) readRanges(ctx context.Context, rs []ranges.Range, unit int64) error {
	spans := make([]ranges.Span, 0, len(rs))
	var straight []ranges.Range
	for _, r := range rs {
		if r.Off < 0 || int64(len(r.Data)) > o.size-r.Off {
			return io.ErrUnexpectedEOF
		}
		if o.passes(r) {
			straight = append(straight, r)
		} else if len(r.Data) > 0 {
			spans = append(spans, ranges.Span{Off: r.Off, Len: int64(len(r.Data))})
		}
	}
	var all, mine []*page
	for _, s := range ranges.Merge(spans, pageSize, math.MaxInt64) { // no two of these spans share a page
		all, mine = o.cfg.cache.take(o, s.Off, s.End(), unit, all, mine)
	}
	if err := o.fetch(ctx, mine, straight); err != nil {
		return err
	}
	for _, r := range rs {
		if o.passes(r) {
			continue
		}
		n, _ := slices.BinarySearchFunc(all, r.Off/pageSize, func(p *page, n int64) int { return cmp.Compare(p.key.n, n) })
		for done := 0; done < len(r.Data); n++ {
			p := all[n]
			select {
			case <-p.ready:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			if p.err != nil {
				return p.err
			}
			done += copy(r.Data[done:], p.data[r.Off+int64(done)-p.from:])
		}
	}
	return nil
}

// long is the smallest range that is not cached if the object exceeds the cache: a
// sequential read would evict everything else. It is the default size of a chunk.
const long = 1 << 20

// passes reports whether a range is read without the cache.
func (o *Object) passes(r ranges.Range) bool {
	return len(r.Data) >= long && o.size > o.cfg.cache.limit
}

// A canceledError is the error of pages whose request was ended by its caller's
// context.
type canceledError struct{ error }

func (e *canceledError) Unwrap() error { return e.error }

// fetch reads pages, and ranges that bypass the cache, several at a time.
func (o *Object) fetch(ctx context.Context, mine []*page, straight []ranges.Range) error {
	if len(mine)+len(straight) == 0 {
		return nil
	}
	byNumber := make(map[int64]*page, len(mine))
	spans := make([]ranges.Span, len(mine))
	for i, p := range mine {
		byNumber[p.key.n] = p
		spans[i] = p.span()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	unhook := context.AfterFunc(o.ctx, func() { cancel(context.Cause(o.ctx)) })
	defer unhook()
	var group sync.WaitGroup
	o.fetchSpans(ctx, cancel, &group, spans, byNumber)
	for _, r := range straight {
		for n := 0; n < len(r.Data); n += ranges.Most {
			off, part := r.Off+int64(n), r.Data[n:min(n+ranges.Most, len(r.Data))]
			group.Go(func() {
				if err := o.request(ctx, off, int64(len(part)), func(r *request) error { return readFull(r, part) }); err != nil {
					cancel(err)
				}
			})
		}
	}
	group.Wait()
	return context.Cause(ctx)
}

// fetchSpans reads the pages in spans, several at a time, and with requests for
// several ranges if the server may support these.
func (o *Object) fetchSpans(ctx context.Context, cancel context.CancelCauseFunc, group *sync.WaitGroup, spans []ranges.Span, pages map[int64]*page) {
	spans = o.Cost().Merge(spans)
	for len(spans) > 0 {
		n := o.together(spans)
		batch := spans[:n:n]
		spans = spans[n:]
		if n == 1 {
			group.Go(func() { o.fetchSpan(ctx, cancel, batch[0], pages) })
			continue
		}
		group.Go(func() {
			err := o.gather(ctx, batch, pages)
			left := missing(batch, pages)
			if err != nil && !errors.Is(err, errRefused) {
				o.failSpans(ctx, cancel, err, left, pages)
				return
			}
			o.fetchSpans(ctx, cancel, group, left, pages)
		})
	}
}

func readFull(r io.Reader, p []byte) error {
	_, err := io.ReadFull(r, p)
	return err
}

// enter waits until fewer requests than o's limit are in flight.
func (o *Object) enter(ctx context.Context) error {
	select {
	case o.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (o *Object) leave() { <-o.slots }

// request makes a request for n bytes at off, when fewer than o's limit are in
// flight, and calls read with the body.
func (o *Object) request(ctx context.Context, off, n int64, read func(r *request) error) error {
	if err := o.enter(ctx); err != nil {
		return err
	}
	defer o.leave()
	r := &request{tries: tries{o: o, ctx: ctx}, off: off, end: off + n}
	defer r.Close()
	err := read(r)
	if err == nil {
		o.budget.earn()
	}
	return err
}

// fetchSpan reads the pages in a span with one request. An error ends the other
// requests.
func (o *Object) fetchSpan(ctx context.Context, cancel context.CancelCauseFunc, s ranges.Span, pages map[int64]*page) {
	whole := []ranges.Span{s}
	err := o.request(ctx, s.Off, s.Len, func(r *request) error {
		for p := range pagesOf(whole, pages) {
			if err := o.readPage(p, r, p.span().Off-r.off); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		o.failSpans(ctx, cancel, err, whole, pages)
	}
}

// readPage reads a page after skip other bytes.
func (o *Object) readPage(p *page, r io.Reader, skip int64) error {
	if skip > 0 {
		if _, err := io.CopyN(io.Discard, r, skip); err != nil {
			return err
		}
	}
	data := make([]byte, p.to-p.from)
	if err := readFull(r, data[copy(data, p.start):]); err != nil {
		return err
	}
	o.cfg.cache.put(p, data)
	return nil
}

// failSpans drops the pages in spans, which cannot be read, and ends the other
// requests.
func (o *Object) failSpans(ctx context.Context, cancel context.CancelCauseFunc, err error, spans []ranges.Span, pages map[int64]*page) {
	failure := err
	if ctx.Err() != nil {
		failure = &canceledError{err}
	}
	cancel(err)
	for p := range pagesOf(spans, pages) {
		o.cfg.cache.fail(p, failure)
	}
}
