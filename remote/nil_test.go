package remote_test

import (
	"context"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/remote"
)

// A nil argument returns an error.
func TestNil(t *testing.T) {
	var none context.Context
	spec := b2nd.Spec{Shape: []int64{3}, DType: "<f4"}
	parts := newMemStore().put("x")
	b2test.Refuses(t, map[string]func() error{
		"Create":                  func() error { return b2test.Fail(remote.Create(t.Context(), nil, nil)) },
		"Create, no context":      func() error { return b2test.Fail(remote.Create(none, parts, nil)) },
		"CreateArray":             func() error { return b2test.Fail(remote.CreateArray(t.Context(), nil, spec, nil)) },
		"CreateArray, no context": func() error { return b2test.Fail(remote.CreateArray(none, parts, spec, nil)) },
		"FromFile":                func() error { return b2test.Fail(remote.FromFile(t.Context(), nil)) },
		"New":                     func() error { return b2test.Fail(remote.New(t.Context(), nil, "x")) },
		"New, no context":         func() error { return b2test.Fail(remote.New(none, remote.NewBackend(new(canned)), "x")) },
		"NewUpload":               func() error { return b2test.Fail(remote.NewUpload(t.Context(), nil)) },
		"Open, no context":        func() error { return b2test.Fail(remote.Open(none, "http://127.0.0.1:1/x")) },
	})
}
