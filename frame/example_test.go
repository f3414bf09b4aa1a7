package frame_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
)

// A frame is made part by part, and read at any place. (To write a stream of
// bytes, see package stream.)
func Example() {
	p := chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 4, Filters: filters.Default, PlainZeros: true}
	enc, err := chunk.NewEncoder(p)
	if err != nil {
		log.Fatal(err)
	}
	h := &header.Header{TypeSize: 4, ChunkSize: 4000, Codec: p.Codec, Level: uint8(p.Level), Filters: p.Filters}
	b, err := frame.NewBuilder(h, frame.BuilderOptions{Checks: true})
	if err != nil {
		log.Fatal(err)
	}
	file, _ := b.AppendHeader(nil)
	for i := range 3 {
		data := bytes.Repeat([]byte{byte(i), 0, 0, 0}, 1000)
		c, err := enc.Encode(nil, data)
		if err != nil {
			log.Fatal(err)
		}
		file = frame.AppendChunkRecord(append(file, c...), c)
		if err := b.AddChunk(len(data), len(c)); err != nil {
			log.Fatal(err)
		}
	}
	file, _ = b.AppendTail(file)
	sealed, _ := b.AppendSealed(nil)
	copy(file, sealed) // the header, now that the sizes are known

	f, err := frame.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		log.Fatal(err)
	}
	item := make([]byte, 8)
	if _, err := f.ReadAt(item, 7996); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Size(), "bytes in", f.NumChunks(), "chunks; around item 2000:", item)
	// Output: 12000 bytes in 3 chunks; around item 2000: [1 0 0 0 2 0 0 0]
}

// A frame in a file is changed without ever being in danger.
func ExampleOpenFile() {
	dir, err := os.MkdirTemp("", "frame")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "numbers.b2frame")
	b, err := frame.NewBuilder(&header.Header{TypeSize: 1, ChunkSize: 8}, frame.BuilderOptions{})
	if err != nil {
		log.Fatal(err)
	}
	empty, err := b.AppendEmpty(nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(path, empty, 0o666); err != nil {
		log.Fatal(err)
	}

	e, err := frame.OpenFile(path)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	e.Append([]byte("one two "))
	e.Append([]byte("three"))
	e.SetVLMeta("unit", []byte("words"))
	if err := e.Commit(); err != nil { // all of it, or nothing
		log.Fatal(err)
	}

	f, err := frame.OpenFrame(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	text := make([]byte, f.Size())
	f.ReadAt(text, 0)
	unit, _, _ := f.VLMeta("unit")
	fmt.Printf("%s: %d chunks of %s\n", text, f.NumChunks(), unit)
	// Output: one two three: 2 chunks of words
}
