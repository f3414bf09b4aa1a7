package table_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed03b80dae/blosc2/internal/treetest"
	"github.com/seed03b80dae/blosc2/table"
)

// CSV of many blocks, with commas, quotes and line breaks within fields, is read as
// it was written, in pieces of any size.
func TestCSVBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	text.WriteString("name,n\r\n")
	var want []string
	for i := range 120000 {
		name := fmt.Sprintf("name %d", i%1000)
		for range r.IntN(4) {
			name += []string{",", "\"", "\n", "\r\n", "ü", "\n\n"}[r.IntN(6)] + "x"
		}
		want = append(want, name)
		fmt.Fprintf(&text, "\"%s\",%d\n", strings.ReplaceAll(name, `"`, `""`), i)
	}
	specs, err := table.InferCSV(strings.NewReader(text.String()))
	if err != nil || specs[0].Kind != table.UTF8 || specs[1].Kind != table.Int64 {
		t.Fatal(specs, err)
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	n, err := b.AppendCSV(iotest.HalfReader(strings.NewReader(text.String())))
	if err != nil || n != int64(len(want)) {
		t.Fatal(n, err)
	}
	tab := treetest.Reopen(t, b)
	i := 0
	for row, err := range tab.Rows(0, tab.Len()) {
		if err != nil {
			t.Fatal(err)
		}
		if row.Value(0) != want[i] || row.Value(1) != int64(i) {
			t.Fatalf("row %d: %q, %v, want %q", i, row.Value(0), row.Value(1), want[i])
		}
		i++
	}
}

// An error in a later block has its line, and the rows of the blocks before it
// were added.
func TestCSVLine(t *testing.T) {
	b, err := table.NewBuilder(table.Spec{Name: "n", Kind: table.Int64})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	text := "n\n" + strings.Repeat("12345\n", 500000) + "x\n1\n"
	n, err := b.AppendCSV(strings.NewReader(text))
	if err == nil || !strings.Contains(err.Error(), "line 500002:") {
		t.Error(err)
	}
	if n == 0 || n >= 500000 || b.Len() != n {
		t.Errorf("%d rows, %d in the Builder", n, b.Len())
	}
}
