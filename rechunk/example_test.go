package rechunk_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/rechunk"
)

// An array in chunks of rows is rechunked to chunks of columns.
func Example() {
	dir, err := os.MkdirTemp("", "rechunk")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	var rows bytes.Buffer
	w, err := b2nd.NewWriter(&rows, b2nd.Spec{Shape: []int64{100, 100}, DType: "<f4", ChunkShape: []int64{10, 100}})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 40000)); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	a, err := b2nd.Open(bytes.NewReader(rows.Bytes()), int64(rows.Len()))
	if err != nil {
		log.Fatal(err)
	}

	plan, err := rechunk.NewPlan(a, b2nd.Spec{ChunkShape: []int64{100, 10}, BlockShape: []int64{50, 10}}, 1<<30)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(plan)
	out := filepath.Join(dir, "columns.b2nd")
	if err := plan.WriteFile(out, a); err != nil {
		log.Fatal(err)
	}
	b, err := b2nd.OpenFile(out)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	fmt.Println(b.ChunkShape())
	// Output:
	// stage 1 of 1: chunks [100 10], blocks [50 10]; reads 40000 bytes for 40000, at most [100 100] items at once
	// [100 10]
}
