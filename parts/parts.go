// Package parts is the interface for writing an object to a store in numbered
// parts, which become the object once it is completed. Packages remote and
// shard use it, and drivers such as remote/s3 implement it.
package parts

import (
	"context"
	"io"
)

// An Object is an object of a store that is written in parts: a multipart
// upload of S3, a list of blocks of Azure, objects to be composed of Google. It
// is not visible before Complete. Its methods are safe for use by several
// goroutines.
type Object interface {
	// Rules returns the store's requirements for parts.
	Rules() Rules
	// Put stores the size bytes of body as part n, counted from 1, and returns a
	// tag that Complete needs, which may be empty. Putting a part again replaces
	// it. Put may read the body more than once, but not after it has returned.
	Put(ctx context.Context, n int, body io.ReadSeeker, size int64) (tag string, err error)
	// Complete makes the object from the parts, in ascending order of their
	// numbers.
	Complete(ctx context.Context, parts []Part) error
	// Abort drops all parts. It is called at most once, after an error or instead
	// of Complete, when no Put is in progress.
	Abort(ctx context.Context) error
}

// A Part is a stored part.
type Part struct {
	Number int    `json:"number"`
	Size   int64  `json:"size"`
	Tag    string `json:"tag,omitempty"`
}

// Rules are a store's requirements for parts. The zero value accepts any.
type Rules struct {
	Min   int64 // bytes of each part but the last
	Max   int64 // bytes of a part; 0 means no limit
	Count int   // largest number of parts, and largest part number; 0 means no limit
	Grow  bool  // parts may differ in size
	Head  bool  // part 1 may be shorter than Min and than all others
	// Shared reports whether several processes may put parts of the object.
	Shared bool
	// Sums reports whether Put reads a body twice unless it is a Summed.
	Sums bool
}

// A Summed is a body with a SHA-256 that is known before it is read.
type Summed interface {
	io.ReadSeeker
	SHA256() [32]byte
}
