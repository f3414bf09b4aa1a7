package chunk

import (
	"encoding/binary"
	"errors"

	"github.com/seed03b80dae/blosc2"
)

// i32 reads a number of a chunk: four bytes, little-endian, signed.
func i32(b []byte) int { return int(int32(binary.LittleEndian.Uint32(b))) }

func putI32(b []byte, v int) { binary.LittleEndian.PutUint32(b, uint32(int32(v))) }

// fault makes an error about the chunk, at an offset in it.
func fault(offset int, err error, format string, args ...any) error {
	e := blosc2.Errorf(blosc2.PartChunk, err, format, args...)
	e.Offset = int64(offset)
	return e
}

// blockFault makes an error about block i, at an offset in the chunk.
func blockFault(i, offset int, err error, format string, args ...any) error {
	e := blosc2.Errorf(blosc2.PartBlock, err, format, args...)
	e.Block, e.Offset = i, int64(offset)
	return e
}

// streamFault gives what a codec or filter said about block i its place, an
// offset in the chunk. What is no error about data is about what the chunk asks
// for, so that is unsupported.
func streamFault(i, offset int, err error) error {
	var e *blosc2.FormatError
	if errors.As(err, &e) {
		return blockFault(i, offset, e.Err, "%s", e.Msg)
	}
	if errors.Is(err, blosc2.ErrCorrupt) {
		return blockFault(i, offset, blosc2.ErrCorrupt, "%v", err)
	}
	return blockFault(i, offset, blosc2.ErrUnsupported, "%v", err)
}
