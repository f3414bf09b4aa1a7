package shard_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/shard"
)

// A nil argument returns an error.
func TestNil(t *testing.T) {
	p, err := shard.NewPlan(1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	one := inMemory(t, p, make([]byte, 1000))
	b2test.Refuses(t, map[string]func() error{
		"Assemble":           func() error { return shard.Assemble(nil, one) },
		"ReadManifest":       func() error { return b2test.Fail(shard.ReadManifest(nil, 100)) },
		"Stack":              func() error { return shard.Stack(nil, nil) },
		"Stack of nil":       func() error { return shard.Stack(nil, []*b2nd.Array{nil}) },
		"WriteShard":         func() error { return b2test.Fail(p.WriteShard(nil, 0, p.FromReaderAt(bytes.NewReader(nil)))) },
		"WriteShard of nil":  func() error { return b2test.Fail(p.WriteShard(io.Discard, 0, nil)) },
		"WriteFile":          func() error { return shard.WriteFile(t.TempDir()+"/x", nil, nil) },
		"WriteFile of nil":   func() error { return shard.WriteFile(t.TempDir()+"/x", p, nil) },
		"WriteShardFile":     func() error { return shard.WriteShardFile(t.TempDir(), nil, 0, nil) },
		"shard without Open": func() error { return shard.Assemble(io.Discard, []shard.Shard{{Manifest: one[0].Manifest}}) },
	})
}
