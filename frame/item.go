package frame

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// An Item is one chunk of a frame, as Walker.Next and Reader.Item return it.
type Item struct {
	Header *header.Header // header of the chunk's frame; shared, not to be changed
	N      int64          // number of the chunk in its frame
	Offset int64          // offset of the chunk in the source; -1 if it is only an entry of the index
	Chunk  []byte         // the stored chunk; if it is only an entry of the index, a special chunk
	Skip   int            // decoded bytes at the beginning that the previous item already had
	NBytes int            // decoded bytes of the chunk, including those of Skip

	Checked bool   // Digest is known and must match
	Digest  uint64 // digest of Chunk, from the record after it
}

// Item returns the stored chunk n, with its record. It reads the chunk into buf
// if it fits with 16 bytes to spare, otherwise into new memory. After the last
// chunk the error is io.EOF, or io.ErrUnexpectedEOF if the frame is torn.
func (f *Reader) Item(buf []byte, n int64) (Item, error) {
	if n >= f.NumChunks() {
		return Item{}, f.ended()
	}
	return f.fetch(buf, n)
}

// Verify compares the chunk with the digest in its record, if it has one. If they differ
// the error wraps blosc2.ErrChecksum. Verify hashes the whole chunk, so it is best called
// by the goroutine that decodes it.
func (it *Item) Verify() error {
	if !it.Checked || framing.Digest(it.Chunk) == it.Digest {
		return nil
	}
	return blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChecksum, "the digest in the record after it does not match"), it.N, it.Offset)
}

// chunkNBytes and chunkCBytes return a chunk's decoded and stored size, from the first 16
// bytes of the chunk (docs/format/chunk.md §1).
func chunkNBytes(head []byte) int64 { return int64(int32(binary.LittleEndian.Uint32(head[4:]))) }
func chunkCBytes(head []byte) int64 { return int64(int32(binary.LittleEndian.Uint32(head[12:]))) }

// minChunk is the length in bytes of the smallest chunk that a frame can hold.
const minChunk = 32
