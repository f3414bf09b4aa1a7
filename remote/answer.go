package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// An Answer is a store's answer to a request for a range of an object.
type Answer struct {
	Body     io.ReadCloser
	From, To int64 // the bytes that Body holds: [From, To)
	Info
}

// A Getter makes the requests of a Backend: see NewBackend. Its methods return a
// *StatusError for an HTTP status that is an error. It is safe for use by several
// goroutines.
type Getter interface {
	// Get requests n bytes at off, or the last n bytes if off is negative. If version
	// is not empty, it requires the object to have that version. If the store does not
	// support such requests, the error is ErrNoRanges.
	Get(ctx context.Context, off, n int64, version string) (Answer, error)
	// Stat requests the size and version of the object.
	Stat(ctx context.Context) (Info, error)
}

// NewBackend returns the Backend of a store's client. It rejects answers with
// other bytes than requested, returns blosc2.ErrChanged for status 412, and
// calls Stat after status 416, which stores return for an empty object.
func NewBackend(g Getter) Backend { return getter{g} }

type getter struct{ Getter }

func (g getter) Open(ctx context.Context, off, n int64, version string) (io.ReadCloser, Info, error) {
	a, err := g.Get(ctx, off, n, version)
	var status *StatusError
	switch {
	case err == nil:
	case errors.As(err, &status) && status.Code == http.StatusPreconditionFailed:
		return nil, Info{}, errChanged("", "")
	case errors.As(err, &status) && status.Code == http.StatusRequestedRangeNotSatisfiable:
		info, err := g.Stat(ctx)
		return http.NoBody, info, err
	default:
		return nil, Info{}, err
	}
	if err := a.check(off, n); err != nil {
		a.Body.Close()
		return nil, a.Info, err
	}
	return a.Body, a.Info, nil
}

// OpenEnd implements Ender.
func (g getter) OpenEnd(ctx context.Context, n int64) (io.ReadCloser, Info, error) {
	return g.Open(ctx, -1, n, "")
}

// check returns an error unless the answer holds n bytes at off, or fewer at the
// end of the object; or, if off is negative, the last n bytes.
func (a *Answer) check(off, n int64) error {
	if off < 0 {
		off = max(a.Size-n, 0)
	}
	switch {
	case a.From == off && a.To == min(off+n, a.Size):
		return nil
	case a.From == 0 && a.To == a.Size:
		return ErrNoRanges
	}
	return fmt.Errorf("the server returned bytes %d to %d of %d; %d to %d were requested", a.From, a.To-1, a.Size, off, min(off+n, a.Size)-1)
}

// NewStatusError returns the error of an answer. reason is the server's message;
// header is the answer's header, and may be nil.
func NewStatusError(code int, reason string, header http.Header) *StatusError {
	e := &StatusError{Code: code, Reason: oneLine(reason)}
	if s, err := strconv.Atoi(header.Get("Retry-After")); err == nil && s > 0 {
		e.Wait = time.Duration(min(s, 3600)) * time.Second
	}
	return e
}
