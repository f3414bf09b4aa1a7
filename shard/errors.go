package shard

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// These are the kinds of errors of shards. Each is wrapped by an *Error that names
// the shards.
var (
	ErrMissing = errors.New("missing")
	ErrForeign = errors.New("belongs to another plan")
	ErrDamaged = errors.New("damaged")
)

// An Error says which shards are invalid, and why. Err is ErrMissing, ErrForeign,
// ErrDamaged or an error of a read.
type Error struct {
	Shards []int  // numbers of the shards, counted from 0
	Of     int    // number of shards of the plan
	Name   string // name of the file if there is only one; empty if unknown
	Msg    string // how the shards differ from what is expected
	Err    error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("shard")
	if len(e.Shards) > 1 {
		b.WriteByte('s')
	}
	b.WriteByte(' ')
	b.WriteString(ranges(e.Shards))
	fmt.Fprintf(&b, " of %d", e.Of)
	if e.Name != "" {
		fmt.Fprintf(&b, " (%s)", e.Name)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.Msg != "" {
		b.WriteString(": ")
		b.WriteString(e.Msg)
	}
	return b.String()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// ranges lists ascending numbers: "1, 4-7".
func ranges(n []int) string {
	var parts []string
	for i := 0; i < len(n); {
		j := i
		for j+1 < len(n) && n[j+1] == n[j]+1 {
			j++
		}
		if s := strconv.Itoa(n[i]); j == i {
			parts = append(parts, s)
		} else {
			parts = append(parts, s+"-"+strconv.Itoa(n[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}
