package rechunk_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/rechunk"
)

// A nil argument is an error.
func TestNil(t *testing.T) {
	spec := b2nd.Spec{Shape: []int64{3}, DType: "<f4"}
	b2test.Refuses(t, map[string]func() error{
		"Fill":        func() error { return b2test.Fail(rechunk.Fill(nil, nil, 1<<20)) },
		"NewOneStage": func() error { return b2test.Fail(rechunk.NewOneStage(nil, spec, 1<<20)) },
		"NewPlan":     func() error { return b2test.Fail(rechunk.NewPlan(nil, spec, 1<<20)) },
	})
}
