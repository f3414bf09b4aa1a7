package table_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/table"
)

// A nil argument returns an error.
func TestNil(t *testing.T) {
	b2test.Refuses(t, map[string]func() error{
		"InferCSV": func() error { return b2test.Fail(table.InferCSV(nil)) },
		"Open":     func() error { return b2test.Fail(table.Open(nil, "")) },
	})
}
