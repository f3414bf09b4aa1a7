package npy_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/npy"
)

// A nil argument is an error.
func TestNil(t *testing.T) {
	b2test.Refuses(t, map[string]func() error{
		"NewReader":  func() error { return b2test.Fail(npy.NewReader(nil)) },
		"NewWriter":  func() error { return b2test.Fail(npy.NewWriter(nil, npy.Header{DType: "<f4", Shape: []int64{3}})) },
		"OpenNPZ":    func() error { return b2test.Fail(npy.OpenNPZ(nil, 100)) },
		"ReadHeader": func() error { return b2test.Fail(npy.ReadHeader(nil)) },
	})
}
