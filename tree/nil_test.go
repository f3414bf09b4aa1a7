package tree_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/tree"
)

// A nil argument returns an error.
func TestNil(t *testing.T) {
	b2test.Refuses(t, map[string]func() error{
		"Update":     func() error { return tree.Update(nil, 100, tree.Contents{}) },
		"Open":       func() error { return b2test.Fail(tree.Open(nil, 100)) },
		"OpenFS":     func() error { return b2test.Fail(tree.OpenFS(nil)) },
		"Write":      func() error { return tree.Write(nil, tree.Contents{}) },
		"WriteEmbed": func() error { return tree.WriteEmbed(nil, tree.Contents{}) },
	})
}
