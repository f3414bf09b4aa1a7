package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/remote"
)

// testReplaced tests that a read never mixes the bytes of an object with those of one
// that replaces it.
func (s *server) testReplaced(t *testing.T) {
	if err := s.write(t.Context(), "replaced", Noise(2<<20), closing); err != nil {
		t.Fatal(err)
	}
	o, err := s.store.Open(t.Context(), s.url("replaced"))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := s.write(t.Context(), "replaced", Noise(3 << 20)[1<<20:], closing); err != nil {
		t.Fatal(err)
	}
	if _, err := o.ReadAt(make([]byte, 100), 1<<20); !errors.Is(err, blosc2.ErrChanged) {
		t.Errorf("read of an object that was replaced: %v", err)
	}
}

// testReads tests that whatever the fault in a response, a read returns the right bytes
// or an error.
func (s *server) testReads(t *testing.T) {
	if err := s.write(t.Context(), "faults", Noise(1<<20), closing); err != nil {
		t.Fatal(err)
	}
	want, err := s.read(t.Context(), "faults")
	if err != nil {
		t.Fatal(err)
	}
	var status *remote.StatusError
	for _, tt := range []struct {
		what     string
		n, times int // number of the first request with the fault, and number of requests that have it
		fault    fault
		want     error // expected error; nil if the bytes must be right
	}{
		{"first body cut", 0, 1, cut(10_000), nil},
		{"another body cut", 1, 1, cut(100_000), nil},
		{"body cut every time", 1, 4, cut(50_000), nil},
		{"status 503 several times", 0, 3, answer(http.StatusServiceUnavailable), nil},
		{"status 503 every time", 1, math.MaxInt, answer(http.StatusServiceUnavailable), errors.New("503")},
		{"429", 1, 1, answer(http.StatusTooManyRequests), nil},
		{"stall", 1, 1, stall, nil},
		{"200 for 206", 1, math.MaxInt, header(func(code int, h http.Header) int {
			h.Del("Content-Range")
			return http.StatusOK
		}), errors.New("wrong")},
		{"a wrong range", 1, math.MaxInt, header(func(code int, h http.Header) int {
			h.Set("Content-Range", fmt.Sprintf("bytes 1-%s/%d", h.Get("Content-Length"), len(want)))
			return code
		}), errors.New("wrong")},
		{"another version", 1, math.MaxInt, header(func(code int, h http.Header) int {
			h.Set(s.d.Version, `1234567890`)
			return code
		}), blosc2.ErrChanged},
	} {
		fault, count := from(tt.n, tt.times, s.d.Reads, tt.fault)
		s.proxy.set(fault)
		got, err := s.read(t.Context(), "faults", remote.Stall(time.Second))
		s.proxy.set(nil)
		switch {
		case count() <= tt.n:
			t.Errorf("%s: %d requests", tt.what, count())
		case tt.want == nil && (err != nil || !bytes.Equal(got, want)):
			t.Errorf("%s: other bytes, or %v", tt.what, err)
		case tt.want != nil && err == nil:
			t.Errorf("%s: no error", tt.what)
		case tt.want == blosc2.ErrChanged && !errors.Is(err, tt.want):
			t.Errorf("%s: %v", tt.what, err)
		case tt.what == "no end of 503" && (!errors.As(err, &status) || status.Code != http.StatusServiceUnavailable):
			t.Errorf("%s: %v", tt.what, err)
		}
		if err != nil {
			t.Logf("%s: %v", tt.what, err)
		}
	}
}
