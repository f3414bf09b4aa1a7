package stream_test

import (
	"bytes"
	"fmt"
	"log"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

func TestForStores(t *testing.T) {
	data := bytes.Repeat([]byte("stores  "), 5<<20/2)
	file, err := stream.Compress(nil, data, stream.ForStores())
	if err != nil {
		t.Fatal(err)
	}
	f, err := frame.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	h, err := f.ChunkHeader(0)
	if err != nil || f.NumChunks() != 3 || h.NBytes != stream.StoreChunkSize || h.BlockSize != stream.StoreBlockSize {
		t.Errorf("%d chunks of %d bytes, blocks of %d, %v", f.NumChunks(), h.NBytes, h.BlockSize, err)
	}
}

func ExampleForStores() {
	file, err := stream.Compress(nil, make([]byte, 20<<20), stream.ForStores())
	if err != nil {
		log.Fatal(err)
	}
	f, err := frame.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.NumChunks(), "chunks")
	// Output: 3 chunks
}
