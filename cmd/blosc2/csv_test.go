package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/meta"
)

// A table is converted to as many items as it has rows, and text cells survive a
// round trip.
func FuzzCSV(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"))
	f.Add([]byte("\xef\xbb\xbfa;b\n1;\"x\"\"\n\"\n"))
	f.Add([]byte("x\n2024-02-29\n\n"))
	f.Add([]byte("x,y\n\xe9t\xe9,1\n\xc3\xa9t\xe9,2\n"))
	f.Add([]byte("a\x00\n"))
	f.Add([]byte("1e400\n-\n+\n0x1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		name := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		table, err := readCSV(file, func(int64) {})
		if err != nil {
			return
		}
		r, err := table.items()
		if err != nil {
			t.Fatal(err)
		}
		items, err := io.ReadAll(r)
		if err != nil || int64(len(items)) != table.rows*int64(table.dtype.Size) {
			t.Fatalf("%d bytes of %d rows of %d: %v", len(items), table.rows, table.dtype.Size, err)
		}
		var out bytes.Buffer
		rows := newCSVRows(&out, table.dtype, csvForm{comma: table.comma, header: table.header, empty: table.empty})
		err = rows.head()
		if err == nil {
			_, err = rows.Write(items)
		}
		if err = errors.Join(err, rows.end()); err != nil {
			t.Fatal(err)
		}
		sameText(t, table, out.Bytes())
	})
}

// sameText checks that a file of comma-separated values has as many rows as the table's,
// the same header, and the same cells in columns of text.
func sameText(t *testing.T, table *csvTable, b []byte) {
	t.Helper()
	want, err := table.reader()
	if err != nil {
		t.Fatal(err)
	}
	got := csv.NewReader(bytes.NewReader(b))
	got.Comma = table.comma
	for n := 0; ; n++ {
		row, err := want.Read()
		again, againErr := got.Read()
		if err != againErr {
			t.Fatalf("row %d: %v, was %v", n, againErr, err)
		}
		if err == io.EOF {
			return
		}
		for i, f := range table.dtype.Fields {
			text := f.Type.Kind == meta.Bytes || f.Type.Kind == meta.Unicode || n == 0 && table.header != nil
			read := strings.ReplaceAll(row[i], "\r\n", "\n") // csv.Reader removes the carriage return
			if text && again[i] != read {
				t.Errorf("row %d, column %d: %q, was %q", n, i, again[i], read)
			}
		}
	}
}
