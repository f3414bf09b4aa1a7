package b2nd_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// One goroutine adds rows to an array; another receives them as they are flushed.
func ExampleFollowFile() {
	dir, err := os.MkdirTemp("", "follow")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sensor.b2nd")

	f, err := b2nd.FollowFile(context.Background(), path) // the file need not exist yet
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	go func() {
		spec, err := b2nd.SpecOf[float64](b2nd.Unknown, 2)
		if err != nil {
			log.Fatal(err)
		}
		w, err := b2nd.AppendFile(path, spec)
		if err != nil {
			log.Fatal(err)
		}
		for i := range 3 {
			if _, err := b2nd.WriteSlice(w.Writer, []float64{float64(i), 20.5}); err != nil {
				log.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				log.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			log.Fatal(err)
		}
	}()
	for {
		rows, err := b2nd.NextSlice[float64](f) // one or more rows
		if err == io.EOF {
			break // the writer has closed the array
		}
		if err != nil {
			log.Fatal(err)
		}
		for ; len(rows) > 0; rows = rows[2:] {
			fmt.Println(rows[:2])
		}
	}
	// Output:
	// [0 20.5]
	// [1 20.5]
	// [2 20.5]
}
