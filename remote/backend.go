package remote

import (
	"context"
	"io"
)

// A Backend reads one object, with one request for each range. It is safe for use
// by several goroutines.
type Backend interface {
	// Open begins to read n bytes at off, or fewer at the end of the object. For an
	// empty object it returns an empty body. If version is not empty and the object has
	// another one, the error is blosc2.ErrChanged. For an HTTP status that is an error
	// it returns a *StatusError. The body ends when ctx is cancelled.
	Open(ctx context.Context, off, n int64, version string) (body io.ReadCloser, info Info, err error)
}

// An Ender is a Backend that can read the end of an object of unknown size.
type Ender interface {
	Backend
	// OpenEnd begins to read the last n bytes, or all of a shorter object. The
	// error is ErrNoRanges if the store does not support such requests.
	OpenEnd(ctx context.Context, n int64) (body io.ReadCloser, info Info, err error)
}

// An Info is the information about an object in an answer.
type Info struct {
	Size    int64  // bytes of the whole object
	Version string // changes when the object does: an ETag or a generation; empty if unknown
}
