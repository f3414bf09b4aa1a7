package filters_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/filters"
)

// This file implements as much of the chunk format as the tests of C-Blosc2's
// filters need: chunks with streams that are raw, runs or zlib. (Package chunk
// cannot be used here, because it imports this one.)

var le = binary.LittleEndian

// A wireChunk is a chunk with filtered blocks that are not split.
type wireChunk struct {
	pipeline  filters.Pipeline
	typesize  int
	blocksize int // 0 if blocks are of variable length
	blocks    [][]byte
}

// bytes returns a chunk with uncompressed streams.
func (c wireChunk) bytes() []byte {
	b := make([]byte, 32+4*len(c.blocks))
	b[0], b[1], b[2], b[3] = 5, 1, 0x05|0x10|3<<5, byte(c.typesize)
	if c.blocksize == 0 {
		b[0], b[30] = 6, 1
		le.PutUint32(b[8:], uint32(len(c.blocks)))
	} else {
		le.PutUint32(b[8:], uint32(c.blocksize))
	}
	for i, id := range c.pipeline.IDs {
		b[16+i], b[24+i] = byte(id), c.pipeline.Metas[i]
	}
	b[22] = 4 // the codec zlib
	nbytes := 0
	for i, block := range c.blocks {
		le.PutUint32(b[32+4*i:], uint32(len(b)))
		b = le.AppendUint32(b, uint32(len(block)))
		b = append(b, block...)
		nbytes += len(block)
	}
	le.PutUint32(b[4:], uint32(nbytes))
	le.PutUint32(b[12:], uint32(len(b)))
	return b
}

func readStream(t testing.TB, data []byte, stored, size int) []byte {
	t.Helper()
	switch {
	case stored <= 0:
		return bytes.Repeat([]byte{byte(-stored)}, size)
	case stored == size:
		return data[:size]
	}
	r, err := zlib.NewReader(bytes.NewReader(data[:stored]))
	if err != nil {
		t.Fatal(err)
	}
	block, err := io.ReadAll(r)
	if err != nil || len(block) != size {
		t.Fatalf("a stream of %d bytes instead of %d: %v", len(block), size, err)
	}
	return block
}
