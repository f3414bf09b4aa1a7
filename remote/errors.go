package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2"
)

var (
	// ErrNoRanges is the error for a server that ignores the requested range and
	// answers with the whole object.
	ErrNoRanges = errors.New("the server does not support range requests; download the object first")
	// ErrStalled is the error for a server that neither receives nor sends data for
	// too long: see Stall and PutStall.
	ErrStalled = errors.New("the connection stalled: no data was received or sent")
	// ErrPartsRemain is wrapped by the error of an upload that failed and whose parts
	// could not be dropped. They are not an object, but cost money: Unfinished of the
	// store lists them, and Remove drops them.
	ErrPartsRemain = errors.New("parts remain in the store, and blosc2 uploads --remove drops them")
)

// A StatusError is an HTTP status that is an error. By errors.Is it matches
// fs.ErrNotExist for 404 and 410, and fs.ErrPermission for 401 and 403.
type StatusError struct {
	Code   int           // HTTP status, such as 404
	Reason string        // the server's message, one line; may be empty
	Wait   time.Duration // from the header Retry-After; 0 without it
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("the server returned %d %s", e.Code, http.StatusText(e.Code))
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// Is reports whether target is the corresponding error of io/fs.
func (e *StatusError) Is(target error) bool {
	switch e.Code {
	case http.StatusNotFound, http.StatusGone:
		return target == fs.ErrNotExist
	case http.StatusUnauthorized, http.StatusForbidden:
		return target == fs.ErrPermission
	}
	return false
}

// errChanged returns the error for an object that was replaced.
func errChanged(was, is string) error {
	if was == "" || is == "" {
		return fmt.Errorf("the object was replaced while it was read; open it again: %w", blosc2.ErrChanged)
	}
	return fmt.Errorf("the object was replaced while it was read (version %s, now %s); open it again: %w", was, is, blosc2.ErrChanged)
}

// passing reports whether a request that failed with err may succeed if it is repeated.
// A request that its caller cancelled is not repeated.
func passing(err error) bool {
	var status *StatusError
	if errors.As(err, &status) {
		switch status.Code {
		case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
			http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		}
		return false
	}
	if errors.Is(err, blosc2.ErrChanged) || errors.Is(err, ErrNoRanges) || errors.Is(err, context.Canceled) {
		return false
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, ErrStalled) || errors.Is(err, errBroken) || brokenHTTP2(err) {
		return true
	}
	var op *net.OpError
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout() || errors.As(err, &op) && op.Op != "dial"
}

// brokenHTTP2 reports whether err means that the server ended the stream or the
// connection of a request. net/http does not export the types of these errors.
func brokenHTTP2(err error) bool {
	text := err.Error()
	return strings.Contains(text, "stream error: stream ID ") || strings.Contains(text, "http2: server sent GOAWAY")
}

// errBroken wraps an error of reading a body.
var errBroken = errors.New("the response ended early")
