package storetest

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/remote"
)

// testParts tests that no object appears if a part fails, and that a part that fails
// once is put again.
func (s *server) testParts(t *testing.T) {
	stays := s.stays(t, "parts")
	data := Noise(2*PartSize + 1)
	write := func(key string, fault fault) error {
		s.proxy.set(fault)
		defer s.proxy.set(nil)
		return s.write(t.Context(), key, data, closing)
	}
	fault, count := from(math.MaxInt, 0, s.d.Puts, nil)
	if err := write("other", fault); err != nil {
		t.Fatal(err)
	}
	if count() < 3 {
		t.Fatalf("%d parts were put", count())
	}
	want, err := s.read(t.Context(), "other")
	if err != nil {
		t.Fatal(err)
	}
	var status *remote.StatusError
	for n := range count() {
		fault, _ := from(n, math.MaxInt, s.d.Puts, answer(http.StatusForbidden))
		if err := write("parts", fault); !errors.As(err, &status) || status.Code != http.StatusForbidden || strings.Contains(err.Error(), "\n") {
			t.Errorf("part request %d: %v", n, err)
		}
		stays(n)

		fault, _ = from(n, 1, s.d.Puts, answer(http.StatusServiceUnavailable))
		if err := write("other", fault); err != nil {
			t.Errorf("part request %d fails once: %v", n, err)
		}
		if got, err := s.read(t.Context(), "other"); err != nil || !bytes.Equal(got, want) {
			t.Errorf("part request %d fails once: other bytes, or %v", n, err)
		}
	}
	for _, code := range []int{0, http.StatusServiceUnavailable} {
		for n, match := range []func(*http.Request) bool{s.d.Puts, s.d.Puts, s.d.Puts, s.d.Completes} {
			fault, _ = from(n%3, 1, match, lost(code))
			err := write("other", fault)
			if err != nil && !s.d.InOrder {
				t.Errorf("the answer to request %d is lost, %d: %v", n, code, err)
			}
			if got, e := s.read(t.Context(), "other"); e != nil || !bytes.Equal(got, want) {
				t.Errorf("the answer to request %d is lost, %d: other bytes, or %v, %v", n, code, e, err)
			}
		}
	}
	fault, _ = from(0, math.MaxInt, s.d.Completes, answer(http.StatusForbidden))
	if err := write("parts", fault); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("complete: %v", err)
	}
	stays("complete")
}
