package stream_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// Records are structs, and items of a NumPy structured type in the file.
func ExampleWriteSlice_structs() {
	type event struct {
		Time  int64   `blosc2:"time,datetime64[ms]"`
		Value float64 `blosc2:"value"`
		Valid bool    `blosc2:"valid"`
	}
	var file bytes.Buffer
	w, err := stream.NewWriter(&file)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := stream.WriteSlice(w, []event{{1000, 1.5, true}, {2000, 2.5, false}}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	r, err := stream.NewReader(&file)
	if err != nil {
		log.Fatal(err)
	}
	events := make([]event, 10)
	n, err := stream.ReadSlice(r, events)
	dtype, _ := r.Metalayer(meta.DTypeName)
	fmt.Println(events[:n], err)
	fmt.Printf("%s\n", dtype[2:])
	// Output:
	// [{1000 1.5 true} {2000 2.5 false}] <nil>
	// [('time', '<M8[ms]'), ('value', '<f8'), ('valid', '|b1')]
}
