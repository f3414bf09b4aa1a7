package remote

import (
	"context"
	"time"
)

// Parts is an object that is put into a store in parts, and appears when they are
// complete. Parts are counted from 1.
type Parts interface {
	// Put stores part n, which has not been stored before. It is called by
	// several goroutines at once, in any order, for part 1 last. p must not be
	// kept or changed after Put returns.
	Put(ctx context.Context, n int, p []byte) error
	// Complete makes the object of parts 1 to n.
	Complete(ctx context.Context, n int) error
	// Abort drops all parts, stored or on their way. It is called at most once,
	// after an error or instead of Complete, when no Put is under way.
	Abort(ctx context.Context) error
}

// PartRules are what a store demands of parts. The zero value is for one that
// takes any.
type PartRules struct {
	Most   int   // parts of an object; 0 is no limit
	Grow   bool  // parts may have different sizes
	Header bool  // the first part may be shorter than all others
	Max    int64 // bytes of a part; 0 is no limit
}

// A Ruled is a Parts of a store that has rules.
type Ruled interface {
	Parts
	Rules() PartRules
}

// An Unfinished is an upload of a store that is neither complete nor dropped: it is
// under way, or was left by a process that died.
type Unfinished struct {
	URL   string // of the object that it would be
	ID    string
	Begun time.Time
}
