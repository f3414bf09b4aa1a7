package remote

import "time"

// An Unfinished is an upload of a store that is neither complete nor dropped:
// it is in progress, or was left by a process that died.
type Unfinished struct {
	URL   string // URL of the object being uploaded
	ID    string
	Begun time.Time
}
