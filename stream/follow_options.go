package stream

import (
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
)

// A FollowOption changes how Follow reads a file.
type FollowOption func(*followConfig)

type followConfig struct {
	limits frame.Limits
	start  int64
	keep   bool
	poll   time.Duration // 0: by notification where there is one
}

// KeepFollowing makes a Follower wait where it would return io.EOF, as tail -F
// does: for a writer that goes on with the frame, or for another file that gets
// the path. All of the old file is delivered first. A new file that holds what was
// delivered of the old one, as a compacted copy does, is followed from there on,
// any other from its beginning. A file that gets the path and loses it again
// before the Follower looks is missed.
func KeepFollowing() FollowOption { return func(c *followConfig) { c.keep = true } }

// StartAt makes a Follower begin with byte off of the first frame, for a reader
// that goes on where it ended: see Offset. If the frame is not that long the
// Follower waits.
func StartAt(off int64) FollowOption { return func(c *followConfig) { c.start = off } }

// PollEvery makes a Follower look at the file every d instead of waiting for
// notifications. Without it a Follower polls every 5 ms where the system has none
// that is supported; only Linux has. Notifications do not report what another
// machine writes into a network file system: there the file is looked at once in
// a second, which PollEvery changes.
func PollEvery(d time.Duration) FollowOption { return func(c *followConfig) { c.poll = max(d, 0) } }

// FollowLimits bounds what the file may make a Follower allocate.
func FollowLimits(l frame.Limits) FollowOption { return func(c *followConfig) { c.limits = l } }

func (c *followConfig) check() error {
	if c.start < 0 {
		return &blosc2.OptionError{Option: "start", Value: c.start, Range: "0 or more"}
	}
	return nil
}
