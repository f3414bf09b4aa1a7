// Package codecs compresses streams: the pieces of bytes that a chunk's blocks are
// cut into. It holds the interface of codecs, the registry, codecs of our own,
// which are implemented in the packages below it, and adapters to
// klauspost/compress, pierrec/lz4 and golang/snappy.
//
// Codec numbers, stream formats and level mappings: docs/format/codecs.md §1.
package codecs

import "github.com/seed03b80dae/blosc2"

// Params describes a stream to a codec. Most codecs need only Level.
type Params struct {
	Level      int     // 1 to 9; encoding only
	Meta       uint8   // the codec's own byte (chunk header, byte 23)
	TypeSize   int     // bytes of an item: according to the frame if known, else to the chunk
	Dict       []byte  // dictionary, nil for none; the same slice for all streams of a chunk, and another one for each chunk
	BlockShape []int32 // shape of a block in items, nil if the data are not an array (ndlz, zfp)
	WholeBlock bool    // the stream is one full block (zfp and ndlz code nothing else)
	Values     bool    // items are stored whole: no filter has moved their bytes; encoding only
	Planes     bool    // items are stored as planes of bytes, as shuffle leaves them; encoding only
}

// A Codec compresses and decompresses single streams. It may keep tables and buffers
// from one call to the next, so a Codec is for one goroutine at a time; the registry
// makes as many as requested.
//
// The slices dst and src of a call do not overlap.
type Codec interface {
	ID() blosc2.CodecID
	Name() string

	// Encode compresses src into dst, which it never grows or keeps, and
	// returns the number of bytes written; those after them, up to len(dst), are
	// undefined. 0 means that the result would not fit into len(dst); the stream is
	// then stored raw. An error means that the codec does not support the Params.
	Encode(dst, src []byte, p Params) (n int, err error)

	// Decode decompresses src into dst and fills it exactly: any other length
	// results in blosc2.ErrCorrupt. It writes nothing outside dst and keeps neither.
	// n is len(dst) on success, otherwise the number of correct bytes, if known.
	Decode(dst, src []byte, p Params) (n int, err error)
}
