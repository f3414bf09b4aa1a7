package meta_test

import (
	"errors"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

// typed fails the test if an error about input does not wrap a sentinel.
func typed(t *testing.T, err error) {
	t.Helper()
	var fe *blosc2.FormatError
	if !errors.As(err, &fe) || !errors.Is(err, blosc2.ErrCorrupt) && !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("%#v: %v", err, err)
	}
}
