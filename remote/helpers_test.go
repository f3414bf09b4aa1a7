package remote_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/ranges"
	"github.com/seed03b80dae/blosc2/remote"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A server serves one object, with faults set by a test.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	data     []byte
	etag     string
	requests []string // ranges of the requests
	fault    func(n int, w http.ResponseWriter, r *http.Request) bool
}

// serve starts a server of data. It calls fault first for each request. n counts the
// requests from 0, and the result reports whether fault has answered. A nil fault
// answers none.
func serve(t testing.TB, data []byte, fault func(n int, w http.ResponseWriter, r *http.Request) bool) *server {
	t.Helper()
	s := &server{data: data, etag: `"one"`, fault: fault}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, r.Header.Get("Range"))
	data, etag := s.data, s.etag
	s.mu.Unlock()
	w.Header().Set("ETag", etag)
	if s.fault != nil && s.fault(n, w, r) {
		return
	}
	http.ServeContent(w, r, "object", time.Time{}, bytes.NewReader(data))
}

// count returns the number of requests so far.
func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// asked returns the ranges of the requests so far.
func (s *server) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// open opens the object of a server.
func (s *server) open(t testing.TB, opts ...remote.Option) (*remote.Object, error) {
	t.Helper()
	o, err := remote.Open(t.Context(), s.URL+"/object?secret", append([]remote.Option{remote.Client(s.Client()), remote.RetryWait(time.Millisecond)}, opts...)...)
	if err == nil {
		t.Cleanup(func() { o.Close() })
	}
	return o, err
}

// noise returns n bytes that do not compress.
func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{5}).Read(b)
	return b
}

// same reports an error if rs do not hold the bytes of data at their offsets.
func same(t *testing.T, data []byte, rs []ranges.Range) {
	t.Helper()
	for _, r := range rs {
		if !bytes.Equal(r.Data, data[r.Off:r.Off+int64(len(r.Data))]) {
			t.Errorf("other bytes at %d", r.Off)
		}
	}
}

// A canned is a store that returns the same answer to every request.
type canned struct {
	answer remote.Answer
	err    error
	closed bool
}

func (c *canned) Get(context.Context, int64, int64, string) (remote.Answer, error) {
	c.answer.Body = c
	return c.answer, c.err
}

func (c *canned) Stat(context.Context) (remote.Info, error) {
	return remote.Info{Version: "of Stat"}, nil
}

func (c *canned) Read([]byte) (int, error) { return 0, io.EOF }

func (c *canned) Close() error {
	c.closed = true
	return nil
}

func check(t *testing.T, what string, err, want error) {
	t.Helper()
	var status *remote.StatusError
	switch want.(type) {
	case nil:
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		return
	case *remote.StatusError:
		if !errors.As(err, &status) {
			t.Errorf("%s: %v, want a StatusError", what, err)
		}
	default:
		if err == nil || want != errAny && !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	if err != nil {
		t.Log(err)
		if text := err.Error(); strings.Contains(text, "\n") || strings.Contains(text, "secret") || !strings.Contains(text, "/object") {
			t.Errorf("%q is not one line with the name and without the query", text)
		}
	}
}

// scattered returns n ranges of 1000 bytes that are 100,000 bytes apart.
func scattered(n int) (rs []ranges.Range) {
	for i := range n {
		rs = append(rs, ranges.Range{Off: 100_000 * int64(i+1), Data: make([]byte, 1000)})
	}
	return rs
}

// errAny means that any error is accepted.
var errAny = errors.New("any")
