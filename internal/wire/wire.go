// Package wire holds the msgpack values that Blosc2's frames are made of, as
// leaf types for generated marshalers.
//
// MessagePack lets a writer choose the smallest form of a number. Blosc2 does
// not: each field of a frame has one form, so that it is at a fixed place and
// can be rewritten there. So every leaf writes one lead byte and refuses any
// other when it reads.
//
// Leaves copy nothing: byte slices that they unmarshal are part of the input.
// Lengths are checked against the input before anything is allocated.
package wire

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// An Error says what is in the input where something else should.
type Error struct {
	Left int // bytes from there to the end of the input
	Msg  string
}

func (e *Error) Error() string { return e.Msg }

// errorAt makes the error for what rest begins with.
func errorAt(rest []byte, format string, args ...any) error {
	return &Error{Left: len(rest), Msg: fmt.Sprintf(format, args...)}
}

// take cuts off b a lead byte, which must be the given one, and n bytes more.
func take(b []byte, lead byte, n int) (payload, rest []byte, err error) {
	if len(b) == 0 {
		return nil, b, errorAt(b, "ends where %#02x should be", lead)
	}
	if b[0] != lead {
		return nil, b, errorAt(b, "found byte %#02x where %#02x should be", b[0], lead)
	}
	if len(b)-1 < n {
		return nil, b, errorAt(b, "%d bytes left of a value of %d", len(b)-1, n)
	}
	return b[1 : 1+n], b[1+n:], nil
}

// takeBytes cuts off a lead byte, a length of 32 bits and as many bytes.
func takeBytes(b []byte, lead byte) (payload, rest []byte, err error) {
	var n Uint32
	if rest, err = n.unmarshal(b, lead); err != nil {
		return nil, b, err
	}
	if uint64(n) > uint64(len(rest)) {
		return nil, b, errorAt(b, "%d bytes left of a value of %d", len(rest), n)
	}
	return rest[:n], rest[n:], nil
}

// Corrupt turns what went wrong while a value of n bytes was unmarshaled into
// an error about part. The value is at byte start of what offsets count from.
// An error that says all of that already is returned unchanged.
func Corrupt(part blosc2.Part, start, n int, err error) error {
	var fe *blosc2.FormatError
	if errors.As(err, &fe) {
		return fe
	}
	var at *Error
	if !errors.As(err, &at) {
		at = &Error{Left: n, Msg: err.Error()} // of the generated code: too many or too few parts
	}
	msg := at.Msg
	if field, ok := strings.CutPrefix(err.Error(), msg+" at "); ok {
		msg = field + ": " + msg
	}
	fe = blosc2.Errorf(part, blosc2.ErrCorrupt, "%s", msg)
	fe.Offset = int64(start + n - at.Left)
	return fe
}
