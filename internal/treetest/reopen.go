package treetest

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// Reopen writes a table to a zip in memory and opens it.
func Reopen(t testing.TB, b *table.Builder) *table.Table {
	t.Helper()
	var buf bytes.Buffer
	if err := b.Write(&buf); err != nil {
		t.Fatal(err)
	}
	s, err := tree.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	tab, err := table.Open(s, "/")
	if err != nil {
		t.Fatal(err)
	}
	return tab
}
