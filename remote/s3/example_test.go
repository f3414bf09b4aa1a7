package s3_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/remote/s3"
)

// An array is copied from one object to another. The new object appears when Close has
// succeeded.
func Example() {
	ctx := context.Background()
	store, err := s3.FromEnv()
	if err != nil {
		log.Fatal(err)
	}
	from, err := store.Open(ctx, "s3://bucket/data.b2nd")
	if err != nil {
		log.Fatal(err)
	}
	defer from.Close()
	a, err := b2nd.Open(from, from.Size())
	if err != nil {
		log.Fatal(err)
	}
	to, err := store.Put("s3://bucket/copy.b2nd")
	if err != nil {
		log.Fatal(err)
	}
	w, err := remote.CreateArray(ctx, to, a.Spec(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil) // does nothing after Close
	if _, err := a.WriteTo(w); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Shape())
}
