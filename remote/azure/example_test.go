package azure_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/remote/azure"
)

// One row of an array in a store.
func ExampleStore_Open() {
	store, err := azure.FromEnv()
	if err != nil {
		log.Fatal(err)
	}
	o, err := store.Open(context.Background(), "az://container/data.b2nd")
	if err != nil {
		log.Fatal(err)
	}
	defer o.Close()
	a, err := b2nd.Open(o, o.Size())
	if err != nil {
		log.Fatal(err)
	}
	row, err := b2nd.Read[float32](a, b2nd.Window{{Start: 7, Stop: 8}, {Start: 0, Stop: 1000}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(row)
}

// An array goes straight into a store, and appears there when Close has succeeded.
func ExampleStore_Put() {
	store, err := azure.FromEnv()
	if err != nil {
		log.Fatal(err)
	}
	parts, err := store.Put("az://container/data.b2nd")
	if err != nil {
		log.Fatal(err)
	}
	spec := b2nd.Spec{Shape: []int64{b2nd.Unknown, 1000}, DType: "<f4"}
	w, err := remote.CreateArray(context.Background(), parts, spec, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil) // does nothing after Close
	for range 100 {
		if _, err := w.Write(make([]byte, 1000*4)); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
}
