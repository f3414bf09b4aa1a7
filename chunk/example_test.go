package chunk_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log"
	"sync"

	"github.com/seed03b80dae/blosc2/chunk"
)

// A buffer of numbers is encoded as a chunk, and a part of it is read back.
func Example() {
	var src []byte
	for i := range 100_000 {
		src = binary.LittleEndian.AppendUint32(src, uint32(20_000+i/7))
	}

	p := chunk.Default()
	p.TypeSize = 4
	e, err := chunk.NewEncoder(p)
	if err != nil {
		log.Fatal(err)
	}
	c, err := e.Encode(nil, src)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(src), "bytes become less than 5 %:", len(c) < len(src)/20)

	var d chunk.Decoder
	item := make([]byte, 4)
	if err := d.DecodeRange(item, c, 4*77_777); err != nil {
		log.Fatal(err)
	}
	fmt.Println("item 77777 is", binary.LittleEndian.Uint32(item))
	// Output:
	// 400000 bytes become less than 5 %: true
	// item 77777 is 31111
}

// Two goroutines make one large chunk. It has the bytes that one goroutine would make.
func ExampleEncoder_EncodeShared() {
	e, err := chunk.NewEncoder(chunk.Default())
	if err != nil {
		log.Fatal(err)
	}
	helper, err := chunk.NewEncoder(e.Params())
	if err != nil {
		log.Fatal(err)
	}
	src := make([]byte, 16<<20)
	for i := range src {
		src[i] = byte(i >> 10)
	}
	var help sync.Once
	var group sync.WaitGroup
	recruit := func() { help.Do(func() { group.Go(func() { helper.Help(e) }) }) }
	c, err := e.EncodeShared(nil, src, recruit, group.Wait)
	if err != nil {
		log.Fatal(err)
	}
	alone, err := helper.Encode(nil, src)
	fmt.Println(bytes.Equal(c, alone), err)
	// Output: true <nil>
}

// Blocks of a remote chunk are fetched one by one: first the layout, then only the
// bytes of the requested block.
func ExampleParseLayout() {
	p := chunk.Default()
	p.BlockSize = 10_000
	e, err := chunk.NewEncoder(p)
	if err != nil {
		log.Fatal(err)
	}
	src := make([]byte, 100_000)
	for i := range src {
		src[i] = byte(i / 10_000)
	}
	stored, err := e.Encode(nil, src)
	if err != nil {
		log.Fatal(err)
	}

	h, err := chunk.ParseHeader(stored[:chunk.HeaderLen])
	if err != nil {
		log.Fatal(err)
	}
	l, err := chunk.ParseLayout(stored[:h.LayoutLen()])
	if err != nil {
		log.Fatal(err)
	}
	off, n := l.Extent(7)
	block := make([]byte, l.BlockLen(7))
	var d chunk.Decoder
	if err := d.DecodeBlock(block, stored[off:off+n], l, 7); err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.NumBlocks, "blocks; block 7 begins with", block[0])
	// Output: 10 blocks; block 7 begins with 7
}

// Blocks may differ in length.
func ExampleEncoder_EncodeBlocks() {
	e, err := chunk.NewEncoder(chunk.Params{Codec: chunk.Default().Codec, Level: 5})
	if err != nil {
		log.Fatal(err)
	}
	c, err := e.EncodeBlocks(nil, [][]byte{[]byte("one"), []byte("twenty-two"), []byte("three")})
	if err != nil {
		log.Fatal(err)
	}
	var d chunk.Decoder
	b, err := d.DecodeVLBlock(nil, c, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", b)
	// Output: twenty-two
}
