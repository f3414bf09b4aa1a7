package table_test

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// A counted source counts the bytes that are read.
type counted struct {
	io.ReaderAt
	n atomic.Int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ReaderAt.ReadAt(p, off)
}

// Reading some rows of one column reads neither other columns nor other chunks.
func TestReadsLittle(t *testing.T) {
	const rows = 3 << 20
	specs := []table.Spec{{Name: "a", Kind: table.Uint64}, {Name: "b", Kind: table.Uint64}, {Name: "s", Kind: table.UTF8}}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	x := uint64(1)
	for at := 0; at < rows; at += 1 << 18 {
		numbers, text := make([]uint64, 1<<18), make([]string, 1<<18)
		for i := range numbers {
			x = x*6364136223846793005 + 1442695040888963407 // the values do not compress
			numbers[i], text[i] = x, fmt.Sprintf("%x", x>>40)
		}
		if err := b.Append(table.Cells{Values: numbers}, table.Cells{Values: numbers}, table.Cells{Values: text}); err != nil {
			t.Fatal(err)
		}
	}
	var buf bytes.Buffer
	if err := b.Write(&buf); err != nil {
		t.Fatal(err)
	}
	src := &counted{ReaderAt: bytes.NewReader(buf.Bytes())}
	s, err := tree.Open(src, int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	tab, err := table.Open(s, "/")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes; %d to open", buf.Len(), src.n.Load())
	if n := src.n.Load(); n > 64<<10 {
		t.Errorf("%d bytes to open", n)
	}
	for _, c := range []struct {
		columns  []string
		from, to int64
		most     int64
	}{
		{[]string{"b"}, rows / 2, rows/2 + 10, 1 << 20},
		{[]string{"s"}, rows - 10, rows, 2 << 20},
		{[]string{"a"}, 0, rows / 8, rows/8*8 + 2<<20},
		{[]string{"a"}, 0, rows, rows*8 + 1<<20},
	} {
		src.n.Store(0)
		seen := int64(0)
		for _, err := range tab.Rows(c.from, c.to, c.columns...) {
			if err != nil {
				t.Fatal(err)
			}
			seen++
		}
		t.Logf("%v, rows %d to %d: %d bytes", c.columns, c.from, c.to, src.n.Load())
		if n := src.n.Load(); n > c.most || seen != c.to-c.from {
			t.Errorf("%v, rows %d to %d: %d rows and %d bytes, at most %d are needed", c.columns, c.from, c.to, seen, n, c.most)
		}
	}
}
