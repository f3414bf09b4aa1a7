package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"strings"

	"github.com/seed03b80dae/blosc2"
)

// A statusError is an error with the HTTP status of the answer to it.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return e.text }

func statusf(status int, format string, args ...any) error {
	return &statusError{status, fmt.Sprintf(format, args...)}
}

// badf returns an error about a parameter of the request.
func badf(format string, args ...any) error { return statusf(http.StatusBadRequest, format, args...) }

var (
	errMissing = statusf(http.StatusNotFound, "no such file or array")
	errBusy    = statusf(http.StatusServiceUnavailable, "the server is busy; try again in a second")
)

// statusOf returns the status and the text for an error.
func statusOf(err error) (int, string) {
	var se *statusError
	switch {
	case errors.As(err, &se):
		return se.status, se.text
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrInvalid):
		return statusOf(errMissing)
	case errors.Is(err, blosc2.ErrChanged):
		return http.StatusServiceUnavailable, "the file changed while it was read; try again in a second"
	case errors.Is(err, blosc2.ErrOption):
		return http.StatusBadRequest, plain(err)
	case errors.Is(err, blosc2.ErrTooLarge):
		return http.StatusRequestEntityTooLarge, plain(err)
	case errors.Is(err, blosc2.ErrNotBlosc2), errors.Is(err, blosc2.ErrUnsupported):
		return http.StatusUnsupportedMediaType, plain(err)
	case errors.Is(err, blosc2.ErrCorrupt), errors.Is(err, blosc2.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF):
		return http.StatusUnprocessableEntity, plain(err)
	}
	var pe *fs.PathError // not shown, because it names a path of this machine
	if errors.As(err, &pe) {
		return statusOf(errMissing)
	}
	return http.StatusInternalServerError, plain(err)
}

func plain(err error) string {
	return strings.ReplaceAll(strings.ReplaceAll(err.Error(), "blosc2: ", ""), "\n", " ")
}

// fail answers a request with an error, as one line in a page or as JSON.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil || errors.Is(err, context.Canceled) {
		panic(http.ErrAbortHandler) // the client has disconnected
	}
	status, text := statusOf(err)
	h := w.Header()
	for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Disposition", "ETag", "Last-Modified"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store")
	switch status {
	case http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	}
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		h.Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		fmt.Fprintf(w, "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'><title>%s</title><p role=alert>%[1]s (%d) <a href=/>All files</a>\n", html.EscapeString(text), status)
		return
	}
	h.Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"error": text, "status": status})
}
