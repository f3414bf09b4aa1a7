package remote

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2"
)

// Open opens the object at an http or https URL. The first request reads 64
// KiB, with the size and the ETag, and all others require that ETag. See New
// for ctx.
//
// Credentials are in the URL, such as a presigned one, or added by the options
// Client or Header. Errors contain neither the query nor the password of a URL.
func Open(ctx context.Context, rawURL string, opts ...Option) (*Object, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("not a URL: %w", errors.Unwrap(err))
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, &blosc2.OptionError{Option: "URL", Value: publicURL(u), Range: "http://HOST/… or https://HOST/…"}
	}
	cfg := newConfig(opts)
	return New(ctx, &httpBackend{url: rawURL, client: cfg.client, header: cfg.header}, publicURL(u), opts...)
}

// publicURL returns u without the parts that may be secret.
func publicURL(u *url.URL) string {
	if u.Host == "" {
		return u.Scheme + "://" + u.Path
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}

// An httpBackend requests ranges of a URL.
type httpBackend struct {
	url     string
	client  *http.Client
	header  http.Header
	judged  sync.Once   // guards several, which the first answer sets
	several atomic.Bool // the server may answer requests for several ranges
}

func (b *httpBackend) Open(ctx context.Context, off, n int64, version string) (io.ReadCloser, Info, error) {
	return b.ask(ctx, off, n, version)
}

// OpenEnd implements Ender.
func (b *httpBackend) OpenEnd(ctx context.Context, n int64) (io.ReadCloser, Info, error) {
	return b.ask(ctx, -1, n, "")
}

// ask requests n bytes at off, or the last n bytes if off is negative.
func (b *httpBackend) ask(ctx context.Context, off, n int64, version string) (io.ReadCloser, Info, error) {
	span := fmt.Sprintf("bytes=%d-%d", off, off+n-1)
	if off < 0 {
		span = fmt.Sprintf("bytes=-%d", n)
	}
	resp, err := b.do(ctx, span, version)
	if err != nil {
		return nil, Info{}, err
	}
	info, err := parseAnswer(resp, off, n)
	if err != nil {
		resp.Body.Close()
		return nil, Info{}, err
	}
	b.judged.Do(func() { b.several.Store(answersSeveral(resp.Header)) })
	return resp.Body, info, nil
}

// do makes a request with a header Range, for the object's version if that is not
// empty.
func (b *httpBackend) do(ctx context.Context, span, version string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url, nil)
	if err != nil {
		return nil, err
	}
	for name, values := range b.header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.Header.Set("Range", span)
	req.Header.Set("Accept-Encoding", "identity")
	switch {
	case strings.HasPrefix(version, `"`):
		req.Header.Set("If-Match", version)
	case strings.HasPrefix(version, dated):
		req.Header.Set("If-Unmodified-Since", strings.TrimPrefix(version, dated))
	} // a weak ETag is not sent, because it never matches: the answer is checked instead
	resp, err := b.client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the inner error does not contain the URL
		}
		return nil, err
	}
	return resp, nil
}

// dated is the prefix of a version that is the time of the last modification.
const dated = "of "

// parseAnswer checks the answer to a request for n bytes at off, or for the last n
// if off is negative.
func parseAnswer(resp *http.Response, off, n int64) (info Info, err error) {
	info.Version = versionOf(resp.Header)
	if err := plain(resp); err != nil {
		return info, err
	}
	switch resp.StatusCode {
	case http.StatusPartialContent:
		a := Answer{Info: info}
		if err := a.SetRange(resp.Header.Get("Content-Range")); err != nil {
			return info, err
		}
		if resp.ContentLength >= 0 && resp.ContentLength != a.To-a.From {
			return info, fmt.Errorf("response has %d bytes for the range %d to %d: %w", resp.ContentLength, a.From, a.To-1, io.ErrUnexpectedEOF)
		}
		return a.Info, a.check(off, n)
	case http.StatusOK:
		if info.Size = resp.ContentLength; info.Size < 0 {
			return info, ErrNoRanges
		}
		a := Answer{To: info.Size, Info: info}
		return info, a.check(off, n)
	case http.StatusRequestedRangeNotSatisfiable:
		if resp.Header.Get("Content-Range") == "bytes */0" && off <= 0 {
			resp.Body.Close()
			resp.Body = http.NoBody
			return info, nil
		}
		if off < 0 {
			return info, ErrNoRanges
		}
		return info, errChanged("", "")
	case http.StatusPreconditionFailed:
		return info, errChanged("", info.Version)
	}
	return info, statusError(resp)
}

// versionOf returns the version of the object in an answer.
func versionOf(h http.Header) string {
	version := h.Get("ETag")
	if at := h.Get("Last-Modified"); version == "" && at != "" {
		version = dated + at
	}
	return version
}

// plain returns an error if the body of an answer is encoded.
func plain(resp *http.Response) error {
	if enc := resp.Header.Get("Content-Encoding"); enc != "" && enc != "identity" && resp.StatusCode < 300 {
		return fmt.Errorf("the object has Content-Encoding %q, which does not support ranges", enc)
	}
	return nil
}

// SetRange sets From, To and Size to those in the header Content-Range. It returns an
// error for a header without them.
func (a *Answer) SetRange(contentRange string) error {
	wrong := fmt.Errorf("the server returned Content-Range %.60q, which is not a range of bytes with the size of the object", contentRange)
	rest, ok := strings.CutPrefix(contentRange, "bytes ")
	span, total, ok2 := strings.Cut(rest, "/")
	first, last, ok3 := strings.Cut(span, "-")
	if !ok || !ok2 || !ok3 {
		return wrong
	}
	number := func(s string) int64 {
		n, err := strconv.ParseUint(s, 10, 63)
		if err != nil || n == math.MaxInt64 || s[0] == '+' {
			ok = false
		}
		return int64(n)
	}
	from, to, size := number(first), number(last)+1, number(total)
	if !ok || from >= to || to > size {
		return wrong
	}
	a.From, a.To, a.Size = from, to, size
	return nil
}

// statusError returns the error for an answer, with the store's message.
func statusError(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
	return NewStatusError(resp.StatusCode, reason(body), resp.Header)
}

// reason returns the message in the body of an answer: from the XML of stores,
// or the first line of a text.
func reason(body []byte) string {
	var doc struct{ Code, Message string }
	if xml.Unmarshal(body, &doc) == nil && doc.Code != "" {
		return doc.Message + " (" + doc.Code + ")"
	}
	if body = bytes.TrimSpace(body); len(body) > 0 && body[0] != '<' && body[0] != '{' {
		first, _, _ := strings.Cut(string(body), "\n")
		return first
	}
	return ""
}

func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return strings.TrimSpace(s)
}
