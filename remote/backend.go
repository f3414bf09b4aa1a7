package remote

import (
	"context"
	"io"
)

// A Backend reads one object, by one request for each range. It is safe for use
// by several goroutines.
type Backend interface {
	// Open begins to read n bytes from off on; fewer if the object ends before.
	// Of an empty object it returns a body of no bytes. If version is not empty
	// and the object has another one, the error is blosc2.ErrChanged. A status
	// of HTTP that is an error is a *StatusError. The body ends when ctx is
	// cancelled.
	Open(ctx context.Context, off, n int64, version string) (body io.ReadCloser, info Info, err error)
}

// An Ender is a Backend that reads the end of an object whose size is not known.
type Ender interface {
	Backend
	// OpenEnd begins to read the last n bytes, or all of a shorter object. The
	// error is ErrNoRanges where the store has no such requests.
	OpenEnd(ctx context.Context, n int64) (body io.ReadCloser, info Info, err error)
}

// Info is what an answer says about an object.
type Info struct {
	Size    int64  // of the whole object, in bytes
	Version string // changes when the object does: an ETag or a generation; empty if unknown
}
