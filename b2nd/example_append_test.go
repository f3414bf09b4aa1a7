package b2nd_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// A program that logs rows calls AppendFile at each start: it creates the array, or
// continues it in the state that the last run left.
func ExampleAppendFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sensor.b2nd")
	run := func(rows ...[2]float64) error {
		spec, err := b2nd.SpecOf[float64](b2nd.Unknown, 2)
		if err != nil {
			return err
		}
		w, err := b2nd.AppendFile(path, spec)
		if err != nil {
			return err
		}
		defer w.Abort(nil) // Abort does nothing after Close
		for _, row := range rows {
			if _, err := b2nd.WriteSlice(w.Writer, row[:]); err != nil {
				return err
			}
			if err := w.Flush(); err != nil { // survives the death of the process
				return err
			}
		}
		return w.Close()
	}
	for _, rows := range [][][2]float64{{{1, 20.5}, {2, 20.7}}, {{3, 21.1}}} {
		if err := run(rows...); err != nil {
			log.Fatal(err)
		}
	}

	a, err := b2nd.OpenFile(path)
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	items, err := b2nd.Read[float64](a, nil)
	fmt.Println(a.Shape(), items, err)
	// Output: [3 2] [1 20.5 2 20.7 3 21.1] <nil>
}
