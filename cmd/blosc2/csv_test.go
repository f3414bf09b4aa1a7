package main

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A table is converted to as many items as it has rows, and text cells survive a
// round trip.
func FuzzCSV(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"))
	f.Add([]byte("\xef\xbb\xbfa;b\n1;\"x\"\"\n\"\n"))
	f.Add([]byte("x\n2024-02-29\n\n"))
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
		w := csv.NewWriter(&out)
		rows := &csvRows{to: &out, out: w, dtype: table.dtype}
		if _, err := rows.Write(items); err != nil {
			t.Fatal(err)
		}
	})
}
