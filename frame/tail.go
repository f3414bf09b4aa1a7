package frame

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// endMarkLen is the length of the end mark, the chunk that C-Blosc2 makes of an
// empty buffer. It tells a reader that no chunk follows.
const endMarkLen = 32

// appendEndMark appends the end mark.
func appendEndMark(dst []byte, typesize int) []byte {
	if typesize > 255 {
		typesize = 1
	}
	return append(dst, 5, 1, 7, byte(typesize), 0, 0, 0, 0, 1, 0, 0, 0, endMarkLen, 0, 0, 0,
		0, 0, 0, 0, 0, byte(blosc2.FilterShuffle), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// indexHead is the header of an index chunk that stores n entries raw.
func indexHead(n int) [chunk.Overhead]byte {
	h := [chunk.Overhead]byte{0: 5, 1: 1, 2: 7, 3: 8, 21: byte(blosc2.FilterShuffle)}
	binary.LittleEndian.PutUint32(h[4:], uint32(8*n))
	binary.LittleEndian.PutUint32(h[8:], uint32(min(8*n, 1<<20)))
	binary.LittleEndian.PutUint32(h[12:], uint32(8*n+chunk.Overhead))
	return h
}

// appendIndex appends the index as a stored chunk, so that its length depends
// on the number of chunks alone.
func appendIndex(dst []byte, offsets []int64) []byte {
	head := indexHead(len(offsets))
	dst = append(dst, head[:]...)
	for _, o := range offsets {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(o))
	}
	return dst
}

// vlmetaParams is how the values of vlmetalayers are compressed: any way is
// right, and every C-Blosc2 reads this one.
var vlmetaParams = chunk.Params{Codec: blosc2.CodecBloscLZ, Level: 5, TypeSize: 1, PlainZeros: true}

// appendTrailer appends a trailer with the vlmetalayers, compressed.
func (b *Builder) appendTrailer(dst []byte) ([]byte, error) {
	t := header.Trailer{Layers: make([]meta.Layer, len(b.vlmeta))}
	for i, l := range b.vlmeta {
		enc, err := chunk.NewEncoder(vlmetaParams)
		if err != nil {
			return dst, err
		}
		c, err := enc.Encode(nil, l.Value)
		if err != nil {
			return dst, err
		}
		t.Layers[i] = meta.Layer{Name: l.Name, Value: c}
	}
	return t.Append(dst)
}
