// Package wire holds the msgpack values of Blosc2's frames, as leaf types for
// generated marshalers.
//
// MessagePack lets a writer choose the smallest form of a number. Blosc2 does not:
// each field of a frame has one form, so that it is at a fixed offset and can be
// rewritten in place. So every leaf writes one lead byte and rejects any other when
// reading.
//
// Leaves do not copy: byte slices that they unmarshal alias the input. Lengths are
// checked against the input before anything is allocated.
package wire

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// An Error says what was found in the input in place of what was expected.
type Error struct {
	Left int // bytes from there to the end of the input
	Msg  string
}

func (e *Error) Error() string { return e.Msg }

// errorAt makes the error for the bytes at the beginning of rest.
func errorAt(rest []byte, format string, args ...any) error {
	return &Error{Left: len(rest), Msg: fmt.Sprintf(format, args...)}
}

// take cuts a lead byte, which must be the given one, and n more bytes off b.
func take(b []byte, lead byte, n int) (payload, rest []byte, err error) {
	if len(b) == 0 {
		return nil, b, errorAt(b, "ends before byte %#02x", lead)
	}
	if b[0] != lead {
		return nil, b, errorAt(b, "found byte %#02x; must be %#02x", b[0], lead)
	}
	if len(b)-1 < n {
		return nil, b, errorAt(b, "truncated value: %d of %d bytes", len(b)-1, n)
	}
	return b[1 : 1+n], b[1+n:], nil
}

// takeBytes cuts a lead byte, a length of 32 bits and as many bytes off b.
func takeBytes(b []byte, lead byte) (payload, rest []byte, err error) {
	var n Uint32
	if rest, err = n.unmarshal(b, lead); err != nil {
		return nil, b, err
	}
	if uint64(n) > uint64(len(rest)) {
		return nil, b, errorAt(b, "truncated value: %d of %d bytes", len(rest), n)
	}
	return rest[:n], rest[n:], nil
}

// Corrupt converts an error in unmarshaling a value of n bytes to an error about part.
// start is the offset of the value. If err wraps a *blosc2.FormatError, it returns that
// unchanged.
func Corrupt(part blosc2.Part, start, n int, err error) *blosc2.FormatError {
	if fe, ok := errors.AsType[*blosc2.FormatError](err); ok {
		return fe
	}
	at, ok := errors.AsType[*Error](err)
	if !ok {
		at = &Error{Left: n, Msg: err.Error()} // the error of generated code: there are too many or too few parts
	}
	msg := at.Msg
	if field, ok := strings.CutPrefix(err.Error(), msg+" at "); ok {
		msg = field + ": " + msg
	}
	fe := blosc2.Errorf(part, blosc2.ErrCorrupt, "%s", msg)
	fe.Offset = int64(start + n - at.Left)
	return fe
}
