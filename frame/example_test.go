package frame_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/stream"
)

// A frame in a file is opened, and read at any offset. Package stream writes such files.
func Example() {
	dir, err := os.MkdirTemp("", "frame")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "numbers.b2frame")
	w, err := stream.CreateFile(path, stream.TypeSize(4), stream.ChunkSize(4000))
	if err != nil {
		log.Fatal(err)
	}
	numbers := make([]int32, 2500)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	if _, err := stream.WriteSlice(w, numbers); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	f, err := frame.OpenFile(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	item := make([]byte, 4)
	if _, err := f.ReadAt(item, 4*2000); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Size(), "bytes in", f.NumChunks(), "chunks; item 2000 is", binary.LittleEndian.Uint32(item))
	// Output: 10000 bytes in 3 chunks; item 2000 is 2000
}

// An unsealed frame from a pipe is converted to a sealed one. No chunk is decoded.
func ExampleNewWalker() {
	var pipe bytes.Buffer
	w, err := stream.NewWriter(struct{ io.Writer }{&pipe}, stream.TypeSize(4), stream.ChunkSize(4000))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := stream.WriteSlice(w, make([]int32, 2500)); err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(w.Flush(), w.Close()); err != nil {
		log.Fatal(err)
	}

	walker := frame.NewWalker(&pipe)
	h, err := walker.Header()
	if err != nil {
		log.Fatal(err)
	}
	b, err := frame.NewBuilder(h, frame.Checks(true))
	if err != nil {
		log.Fatal(err)
	}
	out, err := b.AppendHeader(nil)
	if err != nil {
		log.Fatal(err)
	}
	var buf []byte
	for {
		it, err := walker.Next(buf)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		if err := it.Verify(); err != nil { // compare the chunk with its digest
			log.Fatal(err)
		}
		if out, err = b.AppendChunk(out, it.Chunk); err != nil {
			log.Fatal(err)
		}
		buf = it.Chunk
	}
	if out, err = b.AppendTail(out); err != nil {
		log.Fatal(err)
	}
	sealed, err := b.AppendSealed(nil)
	if err != nil {
		log.Fatal(err)
	}
	copy(out, sealed)

	f, err := frame.Open(bytes.NewReader(out), int64(len(out)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(walker.Order(), "before,", f.Order(), "now:", f.Size(), "bytes in", f.NumChunks(), "chunks")
	// Output: unsealed before, sealed now: 10000 bytes in 3 chunks
}

// A frame is made, part by part, from chunks that the program has compressed itself.
func ExampleNewBuilder() {
	p := chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 4, Filters: filters.Default(), PlainZeros: true}
	enc, err := chunk.NewEncoder(p)
	if err != nil {
		log.Fatal(err)
	}
	h := &header.Header{TypeSize: 4, ChunkSize: 4000, Codec: p.Codec, Level: uint8(p.Level), Filters: p.Filters}
	b, err := frame.NewBuilder(h, frame.Checks(true))
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
		if file, err = b.AppendChunk(file, c); err != nil { // followed by a record with its digest
			log.Fatal(err)
		}
	}
	file, _ = b.AppendTail(file)
	sealed, _ := b.AppendSealed(nil)
	copy(file, sealed) // overwrite the header, now that the sizes are known

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

// A frame in a file is changed safely.
func ExampleEditFile() {
	dir, err := os.MkdirTemp("", "frame")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "numbers.b2frame")
	b, err := frame.NewBuilder(&header.Header{TypeSize: 1, ChunkSize: 8})
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

	e, err := frame.EditFile(path)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	e.Append([]byte("one two "))
	e.Append([]byte("three"))
	e.SetVLMetaValue("unit", "words")  // as python-blosc2 stores it
	if err := e.Commit(); err != nil { // makes all changes at once, or none
		log.Fatal(err)
	}

	f, err := frame.OpenFile(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	text := make([]byte, f.Size())
	f.ReadAt(text, 0)
	unit, _, _ := f.VLMetaValue("unit")
	fmt.Printf("%s: %d chunks of %s\n", text, f.NumChunks(), unit)
	// Output: one two three: 2 chunks of words
}

// Logs that came through a pipe, with a Flush after every record, are converted to
// files that every C-Blosc2 reads, and two of them are joined.
func ExampleCompactFile() {
	dir, err := os.MkdirTemp("", "frame")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	var days []string
	for _, name := range []string{"monday", "tuesday"} {
		var pipe bytes.Buffer
		w, err := stream.NewWriter(struct{ io.Writer }{&pipe}, stream.TypeSize(1))
		if err != nil {
			log.Fatal(err)
		}
		for n := range 3 {
			fmt.Fprintf(w, "%s %d; ", name, n)
			if err := w.Flush(); err != nil {
				log.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			log.Fatal(err)
		}
		path := filepath.Join(dir, name+".b2frame")
		if err := os.WriteFile(path, pipe.Bytes(), 0o666); err != nil {
			log.Fatal(err)
		}
		if err := frame.CompactFile(path); err != nil {
			log.Fatal(err)
		}
		days = append(days, path)
	}
	all := filepath.Join(dir, "all.b2frame")
	if err := frame.ConcatFiles(all, days, frame.Uniform()); err != nil {
		log.Fatal(err)
	}
	f, err := frame.OpenFile(all)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for c, err := range f.Chunks(0) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("chunk %d: %s\n", c.N, c.Data)
	}
	// Output: chunk 0: monday 0; monday 1; monday 2; tuesday 0; tuesday 1; tuesday 2;
}

// Every chunk is read once, and only one is in memory at a time.
func ExampleReader_Chunks() {
	var file bytes.Buffer
	w, err := stream.NewWriter(&file, stream.TypeSize(1), stream.ChunkSize(8), stream.Spool(1<<20))
	if err != nil {
		log.Fatal(err)
	}
	io.WriteString(w, "one two three")
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	f, err := frame.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	for c, err := range f.Chunks(0) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("chunk %d, from byte %d on: %q\n", c.N, c.Start, c.Data)
	}
	// Output:
	// chunk 0, from byte 0 on: "one two "
	// chunk 1, from byte 8 on: "three"
}

// Frames of one hour each are joined to a frame of one day. Their chunks are not
// recompressed.
func ExampleConcat() {
	hour := func(text string) *frame.Reader {
		var file bytes.Buffer
		w, err := stream.NewWriter(&file, stream.TypeSize(1), stream.ChunkSize(8), stream.Spool(1<<20))
		if err != nil {
			log.Fatal(err)
		}
		io.WriteString(w, text)
		if err := w.Close(); err != nil {
			log.Fatal(err)
		}
		f, err := frame.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			log.Fatal(err)
		}
		return f
	}
	day, err := os.CreateTemp("", "*.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(day.Name())
	defer day.Close()
	if err := frame.Concat(day, []*frame.Reader{hour("midnight"), hour("one two three")}); err != nil {
		log.Fatal(err)
	}
	f, err := frame.OpenFile(day.Name())
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Size(), "bytes in", f.NumChunks(), "chunks")
	// Output: 21 bytes in 3 chunks
}
