package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// Bytes in memory are compressed to a frame, and decompressed.
func ExampleCompress() {
	data := bytes.Repeat([]byte{1, 2, 3, 4}, 25_000)
	packed, err := stream.Compress(nil, data, stream.TypeSize(4))
	if err != nil {
		log.Fatal(err)
	}
	back, err := stream.Decompress(nil, packed)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(packed) < len(data)/100, bytes.Equal(back, data))
	// Output: true true
}

// A frame from elsewhere may hold very much more than its size. Limits bound
// what it may make Decompress allocate.
func ExampleDecompress_limits() {
	packed, err := stream.Compress(nil, make([]byte, 10<<20))
	if err != nil {
		log.Fatal(err)
	}
	_, err = stream.Decompress(nil, packed, stream.Limits(frame.Limits{Total: 1 << 20}))
	fmt.Println(err)
	// Output:
	// blosc2: header: data of 10485760 bytes; the limit is 1048576: larger than the limit
}

// Messages go through Writers and Readers from a pool, which allocate next to
// nothing.
func ExampleWriter_Reset() {
	writers := sync.Pool{New: func() any {
		w, err := stream.NewWriter(io.Discard, stream.TypeSize(1), stream.Codec(blosc2.CodecZstd))
		if err != nil {
			log.Fatal(err)
		}
		return w
	}}
	send := func(dst io.Writer, message []byte) error {
		w := writers.Get().(*stream.Writer)
		defer writers.Put(w)
		if err := w.Reset(dst); err != nil {
			return err
		}
		if _, err := w.Write(message); err != nil {
			return err
		}
		return w.Close()
	}
	var buf bytes.Buffer
	for range 3 {
		if err := send(&buf, []byte("a message ")); err != nil {
			log.Fatal(err)
		}
	}
	got, err := stream.Decompress(nil, buf.Bytes())
	fmt.Printf("%s %v\n", got, err)
	// Output: a message a message a message  <nil>
}
