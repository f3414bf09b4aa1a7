package frame

import (
	"encoding/binary"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
)

// endMarkLen is the length of the end mark, which is the chunk that C-Blosc2 makes from
// an empty buffer. No chunk follows it.
const endMarkLen = 32

// appendEndMark appends the end mark.
func appendEndMark(dst []byte, typesize int) []byte {
	if typesize > 255 {
		typesize = 1
	}
	return append(dst, 5, 1, 7, byte(typesize), 0, 0, 0, 0, 1, 0, 0, 0, endMarkLen, 0, 0, 0,
		0, 0, 0, 0, 0, byte(blosc2.FilterShuffle), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// indexHead returns the header of the chunk that stores an index of n entries
// uncompressed.
func indexHead(n int) [chunk.Overhead]byte {
	h := [chunk.Overhead]byte{0: 5, 1: 1, 2: 7, 3: 8, 21: byte(blosc2.FilterShuffle)}
	binary.LittleEndian.PutUint32(h[4:], uint32(8*n))
	binary.LittleEndian.PutUint32(h[8:], uint32(min(8*n, 1<<20)))
	binary.LittleEndian.PutUint32(h[12:], uint32(8*n+chunk.Overhead))
	return h
}

// appendIndex appends the index as a stored chunk, so that its length depends only on the
// number of chunks. If all chunks are the same special chunk, it appends a chunk of one
// repeated value, as C-Blosc2 does. So a frame of zeros of any size takes a few hundred
// bytes.
func appendIndex(dst []byte, offsets []int64) []byte {
	differs := func(o int64) bool { return o != offsets[0] }
	if n := len(offsets); n > 1 && offsets[0] < 0 && !slices.ContainsFunc(offsets, differs) {
		value := binary.LittleEndian.AppendUint64(nil, uint64(offsets[0]))
		if c, err := chunk.AppendRepeat(dst, 8*n, value); err == nil {
			return c
		}
	}
	head := indexHead(len(offsets))
	dst = append(dst, head[:]...)
	for _, o := range offsets {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(o))
	}
	return dst
}

// appendTrailer appends a trailer with the vlmetalayers.
func (b *Builder) appendTrailer(dst []byte) ([]byte, error) {
	return (&header.Trailer{Layers: b.vlmeta}).Append(dst)
}
