package remote

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/seed03b80dae/blosc2/ranges"
)

// ReadRanges implements ranges.ReaderAt, with few requests. It does not repeat
// a request of another goroutine in progress.
func (o *Object) ReadRanges(ctx context.Context, rs []ranges.Range) error {
	for {
		err := o.readRanges(ctx, rs)
		// The page was requested by another goroutine, whose context was cancelled.
		var other *canceledError
		if errors.As(err, &other) && ctx.Err() == nil && o.ctx.Err() == nil {
			continue
		}
		return o.wrap("read", err)
	}
}

func (o *Object) readRanges(ctx context.Context, rs []ranges.Range) error {
	for _, r := range rs {
		if r.Off < 0 || int64(len(r.Data)) > o.size-r.Off {
			return io.ErrUnexpectedEOF
		}
	}
	var all, mine []*page
	var straight []ranges.Range
	for _, r := range rs {
		switch {
		case len(r.Data) == 0:
		case o.passes(r):
			straight = append(straight, r)
		default:
			all, mine = o.cfg.cache.take(o, r.Off/pageSize, (r.Off+int64(len(r.Data))-1)/pageSize+1, all, mine)
		}
	}
	if err := o.fetch(ctx, mine, straight); err != nil {
		return err
	}
	for _, r := range rs {
		if o.passes(r) {
			continue
		}
		for done := 0; done < len(r.Data); all = all[1:] {
			p := all[0]
			select {
			case <-p.ready:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			if p.err != nil {
				return p.err
			}
			done += copy(r.Data[done:], p.data[r.Off+int64(done)-p.key.n*pageSize:])
		}
	}
	return nil
}

// long is the smallest range that is not cached if the object exceeds the cache: a
// sequential read would evict everything else.
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
		off := p.key.n * pageSize
		spans[i] = ranges.Span{Off: off, Len: min(pageSize, o.size-off)}
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
	n, end := s.Off/pageSize, (s.End()+pageSize-1)/pageSize
	err := o.request(ctx, s.Off, s.Len, func(r *request) error {
		var gap []byte
		for ; n < end; n++ {
			size := min(pageSize, o.size-n*pageSize)
			p := unread(pages, n)
			data := gap
			if p != nil || gap == nil {
				data = make([]byte, size)
			}
			if err := readFull(r, data[:size]); err != nil {
				return err
			}
			if p != nil {
				o.cfg.cache.put(p, data)
			} else {
				gap = data
			}
		}
		return nil
	})
	if err != nil {
		o.failSpans(ctx, cancel, err, []ranges.Span{{Off: n * pageSize, Len: s.End() - n*pageSize}}, pages)
	}
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
