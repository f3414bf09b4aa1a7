package remote_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/remote"
)

// TestAnswers checks which answers to a request for bytes 10 to 29 are accepted.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		from, to, size int64
		want           error  // kind of the error; nil for any error
		text           string // text of the error; empty if the answer is accepted
	}{
		{10, 30, 100, nil, ""},
		{10, 25, 25, nil, ""},
		{0, 100, 100, remote.ErrNoRanges, "range requests"},
		{0, 25, 25, remote.ErrNoRanges, "range requests"},
		{10, 29, 100, nil, "bytes 10 to 28 of 100; 10 to 29 were requested"},
		{10, 31, 100, nil, "bytes 10 to 30 of 100"},
		{9, 30, 100, nil, "bytes 9 to 29 of 100"},
	} {
		g := &canned{answer: remote.Answer{From: c.from, To: c.to, Info: remote.Info{Size: c.size, Version: "of Get"}}}
		body, info, err := remote.NewBackend(g).Open(t.Context(), 10, 20, "")
		if c.text == "" {
			if err != nil || body != io.ReadCloser(g) || info != g.answer.Info || g.closed {
				t.Errorf("bytes %d to %d of %d: %v, %+v, closed %v", c.from, c.to, c.size, err, info, g.closed)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.text) || c.want != nil && !errors.Is(err, c.want) || !g.closed {
			t.Errorf("bytes %d to %d of %d: %v, closed %v", c.from, c.to, c.size, err, g.closed)
		}
	}
}

// A request for a range returns errors that match the HTTP status of the answer.
func TestAnswerStatus(t *testing.T) {
	status := func(code int) error {
		return fmt.Errorf("the client: %w", remote.NewStatusError(code, "", nil))
	}
	if _, _, err := remote.NewBackend(&canned{err: status(http.StatusPreconditionFailed)}).Open(t.Context(), 10, 20, "v"); !errors.Is(err, blosc2.ErrChanged) {
		t.Errorf("412: %v", err)
	}
	body, info, err := remote.NewBackend(&canned{err: status(http.StatusRequestedRangeNotSatisfiable)}).Open(t.Context(), 0, 20, "")
	if err != nil || info.Version != "of Stat" || body != http.NoBody {
		t.Errorf("416: %v, %+v", err, info)
	}
	g := &canned{err: status(http.StatusNotFound)}
	if _, _, err := remote.NewBackend(g).Open(t.Context(), 0, 20, ""); err != g.err {
		t.Errorf("404: %v", err)
	}
}
