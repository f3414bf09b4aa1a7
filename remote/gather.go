package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/ranges"
)

// Several ranges are requested together if the server may support that; the answer
// is a multipart/byteranges. A server may also ignore the header Range, answer only
// one range, or join some. So the stated offsets of each range in an answer are
// used, and missing bytes are requested separately.

// perRequest returns how many ranges are requested together.
func (o *Object) perRequest() int {
	if b, ok := o.backend.(*httpBackend); ok && b.several.Load() {
		return o.cfg.ranges
	}
	return 1
}

// together returns how many of the first spans are requested together.
func (o *Object) together(spans []ranges.Span) int {
	n, sum := 1, spans[0].Len
	for most := o.perRequest(); n < len(spans) && n < most && sum+spans[n].Len <= ranges.Most; n++ {
		sum += spans[n].Len
	}
	return n
}

// errRefused wraps the error of a request for several ranges that the server did not
// answer with all of them. It is not repeated, because the server is not expected to
// answer differently.
var errRefused = errors.New("the server does not support requests for several ranges")

// gather reads the pages in spans, which are in order, with one request. After
// errRefused no further request is made. Pages that were read before an error are
// valid.
func (o *Object) gather(ctx context.Context, spans []ranges.Span, pages map[int64]*page) error {
	if err := o.enter(ctx); err != nil {
		return err
	}
	defer o.leave()
	backend := o.backend.(*httpBackend)
	t := &tries{o: o, ctx: ctx}
	for {
		t.begin()
		err := o.gatherOnce(t, backend, spans, pages)
		t.done()
		spans = missing(spans, pages)
		if len(spans) == 0 {
			o.budget.earn()
			return nil
		}
		if err == nil {
			err = errors.New("ranges are missing from the response")
		}
		if err = t.again(err); err == nil {
			continue
		}
		if ctx.Err() == nil && !passing(err) && !errors.Is(err, blosc2.ErrChanged) {
			backend.several.Store(false)
			err = fmt.Errorf("%w: %w", errRefused, err)
		}
		return err
	}
}

// gatherOnce makes one attempt to read the pages in spans.
func (o *Object) gatherOnce(t *tries, backend *httpBackend, spans []ranges.Span, pages map[int64]*page) error {
	asked := time.Now()
	a, err := backend.askAll(t.attempt, spans, o.version)
	if err != nil {
		return err
	}
	o.stats.answered(time.Since(asked))
	defer a.Close()
	a.received = t.received
	for {
		part, err := a.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = o.same(part.Info)
		}
		if err == nil {
			err = o.fill(part, spans, pages)
		}
		if err != nil {
			t.cancel(nil) // so that Close does not read the rest of the body
			return err
		}
	}
}

// fill reads the pages in spans that an answer holds.
func (o *Object) fill(a Answer, spans []ranges.Span, pages map[int64]*page) error {
	at := a.From
	for p := range pagesOf(spans, pages) {
		s := p.span()
		if s.Off < at || s.End() > a.To {
			continue
		}
		if err := o.readPage(p, a.Body, s.Off-at); err != nil {
			return err
		}
		at = s.End()
	}
	_, err := io.CopyN(io.Discard, a.Body, a.To-at)
	return err
}

// unread returns page n, or nil if it was read already or was not requested.
func unread(pages map[int64]*page, n int64) *page {
	if p := pages[n]; p != nil && p.data == nil {
		return p
	}
	return nil
}

// pagesOf yields the pages in spans that were not read yet, in order.
func pagesOf(spans []ranges.Span, pages map[int64]*page) iter.Seq[*page] {
	return func(yield func(*page) bool) {
		for _, s := range spans {
			for n := s.Off / pageSize; n*pageSize < s.End(); n++ {
				if p := unread(pages, n); p != nil && !yield(p) {
					return
				}
			}
		}
	}
}

// missing returns the spans of the pages in spans that were not read yet.
func missing(spans []ranges.Span, pages map[int64]*page) []ranges.Span {
	var left []ranges.Span
	for _, s := range spans {
		for p := range pagesOf([]ranges.Span{s}, pages) {
			left = append(left, p.span())
		}
	}
	return ranges.Merge(left, 0, ranges.Most)
}

// storeHeaders holds the prefixes of headers that object stores send. Stores answer
// requests for several ranges with the whole object or an error.
var storeHeaders = []string{"X-Amz-", "X-Bz-", "X-Cos-", "X-Goog-", "X-Guploader-", "X-Ms-", "X-Oss-"}

// answersSeveral reports whether a server whose answer to a request for one
// range has header h may answer requests for several: all but stores may.
func answersSeveral(h http.Header) bool {
	for name := range h {
		for _, prefix := range storeHeaders {
			if strings.HasPrefix(name, prefix) {
				return false
			}
		}
	}
	return true
}

// askAll requests spans, of the object's version if that is not empty.
func (b *httpBackend) askAll(ctx context.Context, spans []ranges.Span, version string) (*answers, error) {
	text, sum := []byte("bytes="), int64(0)
	for i, s := range spans {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%d-%d", s.Off, s.End()-1)
		sum += s.Len
	}
	resp, err := b.do(ctx, string(text), version)
	if err != nil {
		return nil, err
	}
	a, err := parseAnswers(resp, len(spans), sum)
	if err != nil {
		resp.Body.Close()
	}
	return a, err
}

// partMost is the largest number of bytes in an answer for each range, besides
// those requested: boundaries, headers, and gaps between ranges that the server
// joins, which RFC 9110, 15.3.7.2 allows if they cost less than another part.
const partMost = 4 << 10

// An answers is the answer to a request for several ranges.
type answers struct {
	body     io.ReadCloser
	version  string
	multi    *multipart.Reader // nil if the body is one range
	one      Answer            // the body's range; its Body is nil after next has returned it
	current  *partBody
	left     int   // number of further ranges that are accepted
	bytes    int64 // number of further bytes that are accepted
	err      error // error of the body; io.EOF at its end
	received func(n int)
}

// parseAnswers checks the answer to a request for several ranges with the given
// total of bytes.
func parseAnswers(resp *http.Response, spans int, bytes int64) (*answers, error) {
	a := &answers{body: resp.Body, version: versionOf(resp.Header), left: spans, received: func(int) {}}
	a.bytes = bytes + int64(spans+1)*partMost
	if err := plain(resp); err != nil {
		return nil, err
	}
	switch resp.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK:
		return nil, ErrNoRanges
	case http.StatusPreconditionFailed:
		return nil, errChanged("", a.version)
	default:
		return nil, statusError(resp)
	}
	if resp.ContentLength > a.bytes {
		return nil, errLong
	}
	kind, params, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err == nil && kind == "multipart/byteranges" {
		a.multi = multipart.NewReader((*answersBody)(a), params["boundary"])
		return a, nil
	}
	a.one.Info.Version = a.version
	err = a.one.SetRange(resp.Header.Get("Content-Range"))
	a.one.Body = io.NopCloser((*answersBody)(a))
	if err == nil && a.one.To-a.one.From > a.bytes {
		err = errLong
	}
	return a, err
}

// These errors are returned for unusable answers to requests for several ranges.
var (
	errLong  = errors.New("the server returned more bytes than were requested")
	errParts = errors.New("the server returned an invalid multipart/byteranges response")
)

// next returns the next range, whose body is valid until the following call. After
// the last one the error is io.EOF.
func (a *answers) next() (Answer, error) {
	if a.multi == nil {
		one := a.one
		if a.one.Body = nil; one.Body == nil {
			return Answer{}, io.EOF
		}
		return one, nil
	}
	if a.current != nil {
		if err := a.current.end(); err != nil {
			return Answer{}, err
		}
	}
	part, err := a.multi.NextRawPart()
	if err == io.EOF { // after the last boundary, read the rest so that the connection can be reused
		if _, err := io.Copy(io.Discard, (*answersBody)(a)); err != nil {
			return Answer{}, err
		}
		return Answer{}, io.EOF
	}
	if err != nil {
		return Answer{}, a.wrong(err)
	}
	if a.left--; a.left < 0 {
		return Answer{}, errLong
	}
	var r Answer
	r.Version = a.version
	if err := r.SetRange(part.Header.Get("Content-Range")); err != nil {
		return Answer{}, err
	}
	a.current = &partBody{a: a, r: part, left: r.To - r.From}
	r.Body = a.current
	return r, nil
}

// wrong returns the error of reading the body if there was one, and otherwise an error
// that says that the body cannot be parsed.
func (a *answers) wrong(err error) error {
	if a.err != nil && a.err != io.EOF {
		return a.err
	}
	return fmt.Errorf("%w: %v", errParts, err)
}

// Close closes the body of the answer.
func (a *answers) Close() error { return a.body.Close() }

// An answersBody is the body of an answer, limited to the number of bytes that are
// accepted.
type answersBody answers

func (b *answersBody) Read(p []byte) (n int, err error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err = b.body.Read(p[:min(int64(len(p)), b.bytes+1)])
	b.received(n)
	if b.bytes -= int64(n); b.bytes < 0 {
		err = errLong
	} else if err != nil && err != io.EOF {
		err = fmt.Errorf("%w: %w", errBroken, err)
	}
	b.err = err
	return n, err
}

// A partBody is one range in a multipart/byteranges. A boundary before its end is
// an error, because the bytes of an object may look like one.
type partBody struct {
	a    *answers
	r    io.Reader
	left int64
}

func (b *partBody) Read(p []byte) (n int, err error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n, err = b.r.Read(p[:min(int64(len(p)), b.left)])
	if b.left -= int64(n); err != nil && b.left > 0 {
		return n, b.a.wrong(err)
	}
	return n, nil
}

// end returns an error if the part does not end where its range does.
func (b *partBody) end() error {
	if n, err := io.Copy(io.Discard, io.LimitReader(b.r, 1)); b.left > 0 || n > 0 || err != nil {
		return b.a.wrong(errors.New("a part of the response is longer than its range"))
	}
	return nil
}

func (b *partBody) Close() error { return nil }
