package reduce_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/reduce"
)

// A nil argument is an error.
func TestNil(t *testing.T) {
	b2test.Refuses(t, map[string]func() error{
		"New":    func() error { return b2test.Fail(reduce.New(nil, reduce.Sum)) },
		"Number": func() error { return b2test.Fail(reduce.Number(nil, reduce.Sum)) },
	})
}
