package stream

import (
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
)

// A FollowOption changes how Follow reads a file. Nil options are ignored.
type FollowOption func(*followConfig)

type followConfig struct {
	limits frame.Limits
	start  int64
	keep   bool
	poll   time.Duration // interval of polling; 0 means notifications if supported
}

// KeepFollowing makes a Follower wait where it would return io.EOF, like tail -F:
// for a writer that continues the frame, or for a new file at the path. It delivers
// all of the old file first. A new file that begins with the bytes delivered from
// the old one, such as a compacted copy, is followed from there, and any other from
// its beginning. A file that is replaced before the Follower looks is missed.
func KeepFollowing() FollowOption { return func(c *followConfig) { c.keep = true } }

// StartAt makes a Follower begin with byte off of the first frame, for a reader
// that continues where it ended: see Offset. If the frame is shorter, the
// Follower waits.
func StartAt(off int64) FollowOption { return func(c *followConfig) { c.start = off } }

// PollEvery makes a Follower look at the file every d instead of waiting for
// notifications. If d is 0, or without PollEvery, a Follower uses notifications on
// Linux and polls every 5 ms elsewhere. Notifications do not report writes by other
// machines to a network file system, so the Follower also polls once a second.
func PollEvery(d time.Duration) FollowOption { return func(c *followConfig) { c.poll = d } }

// FollowLimits bounds what a Follower allocates for the file.
func FollowLimits(l frame.Limits) FollowOption { return func(c *followConfig) { c.limits = l } }

func (c *followConfig) check() error {
	if c.start < 0 {
		return &blosc2.OptionError{Option: "start", Value: c.start, Range: "0 or more"}
	}
	if c.poll < 0 {
		return &blosc2.OptionError{Option: "poll interval", Value: c.poll, Range: "0 (notifications) or more"}
	}
	return nil
}
