// Package framing holds details of frames that several packages of this module
// share, and programs do not need: check records, and the preparation of
// decoders for the chunks of a frame. docs/format/stream.md describes the
// records.
package framing

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/xxh3"
	"github.com/seed03b80dae/blosc2/meta"
)

// magic equals frame.Magic.
const magic = "\x9e\xa8b2frame\x00"

// RecordLen is the length of a record: "B2CK", kind, algorithm, two bytes, eight
// bytes (little-endian). Records are stored between the parts of a frame, where
// C-Blosc2 never reads, and hold digests.
const RecordLen = 16

const (
	RecordMagic = "B2CK"
	XXH3        = 1 // the algorithm XXH3-64 with seed 0
)

// Digest returns the digest for records: XXH3-64, seed 0.
func Digest(b []byte) uint64 { return xxh3.Sum64(b) }

// AppendRecord appends a record. small and value depend on its kind.
func AppendRecord(dst []byte, kind uint8, small uint16, value uint64) []byte {
	dst = append(dst, RecordMagic...)
	dst = append(dst, kind, XXH3)
	dst = binary.LittleEndian.AppendUint16(dst, small)
	return binary.LittleEndian.AppendUint64(dst, value)
}

// ChunkRecord is the kind of the record right after a chunk: the low 16 bits of
// the chunk's length, and the digest of its stored bytes.
const ChunkRecord = 0

// AppendChunkRecord appends the record that follows the chunk with the given stored
// bytes. It computes the digest, so it is best called by the goroutine that
// compressed the chunk.
func AppendChunkRecord(dst, chunk []byte) []byte {
	return AppendRecord(dst, ChunkRecord, uint16(len(chunk)), Digest(chunk))
}

// SetUp prepares a decoder for the chunks of a frame: its limit in bytes, 0 for
// the default, the frame's typesize, the shape of a block if the frame holds an
// array, and when it was written.
func SetUp(d *chunk.Decoder, h *header.Header, maxBytes int64) {
	d.MaxBytes = int(min(max(maxBytes, 0), chunk.MaxBytes))
	d.TypeSize = int(h.TypeSize)
	d.BlockShape = BlockShape(h)
	d.Age = ageOf(h.Generation)
}

// ageOf returns the age of a frame's chunks, if its layout shows that: the layout
// of the betas was in use before and after 21 February 2020.
func ageOf(g header.Generation) chunk.Age {
	switch g {
	case header.Layout2019, header.Layout2019Trailer, header.LayoutPipeline:
		return chunk.AgeOld
	case header.LayoutBeta:
		return chunk.AgeUnknown
	}
	return chunk.AgeNew
}

// BlockShape returns the shape of a block in items if the frame holds an array,
// otherwise nil. Some filters and codecs need it.
func BlockShape(h *header.Header) []int32 {
	if b, ok := h.Layer(meta.B2NDName); ok {
		if a, err := meta.ParseB2ND(b); err == nil {
			return a.BlockShape
		}
	}
	if b, ok := h.Layer("caterva"); ok {
		if c, err := meta.ParseCaterva(b); err == nil {
			if a, _ := c.B2ND(int(h.TypeSize), int(h.BlockSize)); a != nil {
				return a.BlockShape
			}
		}
	}
	return nil
}

const (
	firstRead = 1 << 10  // enough for the whole header of most frames
	maxHeader = 16 << 20 // the limit for one
)

// Unborn reports whether a file of size bytes is empty, or holds only the beginning
// of a header: its writer died before it flushed any data, and a new frame may
// replace it. For anything that is not a frame it returns false.
func Unborn(r io.ReaderAt, size int64) (bool, error) {
	if size == 0 {
		return true, nil
	}
	b := make([]byte, min(size, maxHeader))
	n, err := r.ReadAt(b[:min(len(b), firstRead)], 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	b = b[:n]
	if !bytes.HasPrefix(b, []byte(magic[:min(len(magic), n)])) {
		return false, nil
	}
	if size < header.MinPrefix {
		return true, nil
	}
	want, err := header.Size(b)
	if err != nil {
		return false, nil // opening it returns the error
	}
	frameLen := binary.BigEndian.Uint64(b[16:])
	return frameLen == 0 && size <= int64(want)+RecordLen, nil
}
