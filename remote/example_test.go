package remote_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"testing/fstest"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// An array on a server is opened, and one row is read.
func ExampleOpen() {
	srv := httptest.NewServer(exampleStore)
	defer srv.Close()

	ctx := context.Background()
	o, err := remote.Open(ctx, srv.URL+"/table.b2nd", remote.Client(srv.Client()))
	if err != nil {
		log.Fatal(err)
	}
	defer o.Close()
	a, err := b2nd.Open(o, o.Size())
	if err != nil {
		log.Fatal(err)
	}
	row, err := b2nd.Read[int32](a, b2nd.Window{{Start: 2, Stop: 3}, {Start: 0, Stop: 4}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Shape(), row, "in", o.Stats().Requests, "request")
	// Output: [3 4] [8 9 10 11] in 1 request
}

// A frame is written into a store in parts of 8 MiB. The object appears when Close
// has succeeded.
func ExampleCreate() {
	store := newMemStore()
	w, err := remote.Create(context.Background(), store.put("log"), []remote.UploadOption{remote.PartSize(8 << 20)}, stream.TypeSize(1))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil) // does nothing after Close
	if _, err := io.WriteString(w, "straight into the store"); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	b, _ := store.get("log")
	data, err := stream.Decompress(nil, b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", data)
	// Output: straight into the store
}

// A file of a remote io/fs is read.
func ExampleFromFile() {
	b, err := stream.Compress(nil, []byte("far away"))
	if err != nil {
		log.Fatal(err)
	}
	file, err := fstest.MapFS{"frame": {Data: b}}.Open("frame")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	o, err := remote.FromFile(context.Background(), file)
	if err != nil {
		log.Fatal(err)
	}
	defer o.Close()
	f, err := frame.Open(o, o.Size())
	if err != nil {
		log.Fatal(err)
	}
	data, err := f.Chunk(nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", data)
	// Output: far away
}

// exampleStore holds an array of 3 rows of 4 numbers.
var exampleStore = func() *memStore {
	s := newMemStore()
	w, err := remote.CreateArray(context.Background(), s.put("table.b2nd"), b2nd.Spec{Shape: []int64{3, 4}, DType: "<i4"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	numbers := make([]byte, 48)
	for i := range 12 {
		numbers[4*i] = byte(i)
	}
	if _, err := w.Write(numbers); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return s
}()
