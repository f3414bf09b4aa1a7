package frame

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// An Item is one chunk of a frame, as Walker.Next and Reader.Item return it.
type Item struct {
	Header *header.Header // of the frame that the chunk belongs to; shared, not to be changed
	N      int64          // number of the chunk in its frame
	Offset int64          // where the chunk begins, from the start of the source; -1 for an entry of the index alone
	Chunk  []byte         // the chunk as it is stored; an entry of the index alone comes as a special chunk
	Skip   int            // decoded bytes at the beginning that the item before had already
	NBytes int            // decoded bytes of the chunk, those skipped included

	Checked bool   // Digest is known
	Digest  uint64 // of Chunk, as the record after it says
}

// Item returns chunk n as it is stored, with what its record says. Its bytes are
// read into buf where they fit with 16 bytes to spare, else into new memory. After
// the last chunk the error is io.EOF, or io.ErrUnexpectedEOF where the frame is torn.
func (f *Reader) Item(buf []byte, n int64) (Item, error) {
	if n >= f.NumChunks() {
		return Item{}, f.end
	}
	return f.fetch(buf, n)
}

// Verify compares the chunk with its record, if it has one: any other digest is
// blosc2.ErrChecksum. It reads the whole chunk, so it is best called by the
// goroutine that decodes it.
func (it *Item) Verify() error {
	if !it.Checked || framing.Digest(it.Chunk) == it.Digest {
		return nil
	}
	return blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChecksum, "the record after it has another digest"), it.N, it.Offset)
}

// Sizes of chunk headers, from the fields that are in the first 16 bytes of
// every chunk (docs/format/chunk.md §1).
func chunkNBytes(head []byte) int64 { return int64(int32(binary.LittleEndian.Uint32(head[4:]))) }
func chunkCBytes(head []byte) int64 { return int64(int32(binary.LittleEndian.Uint32(head[12:]))) }

// minChunk is the smallest chunk that a frame can hold.
const minChunk = 32
