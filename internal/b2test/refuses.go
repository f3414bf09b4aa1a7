package b2test

import (
	"errors"
	"slices"
	"testing"

	"maps"

	"github.com/seed03b80dae/blosc2"
)

// Refuses calls functions with invalid arguments: each must return a
// *blosc2.OptionError, and none may panic.
func Refuses(t *testing.T, calls map[string]func() error) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("panic: %v", p)
				}
			}()
			var option *blosc2.OptionError
			if err := calls[name](); !errors.As(err, &option) {
				t.Errorf("%v; must be a *blosc2.OptionError", err)
			}
		})
	}
}

// Fail returns the error of a function that returns another value too.
func Fail[T any](_ T, err error) error { return err }
