package chunk

import (
	"encoding/binary"
	"errors"

	"github.com/seed03b80dae/blosc2"
)

// i32 reads a number of a chunk: a signed little-endian integer of four bytes.
func i32(b []byte) int { return int(int32(binary.LittleEndian.Uint32(b))) }

func putI32(b []byte, v int) { binary.LittleEndian.PutUint32(b, uint32(int32(v))) }

// fault returns an error about the chunk, with an offset in it.
func fault(offset int, err error, format string, args ...any) error {
	e := blosc2.Errorf(blosc2.PartChunk, err, format, args...)
	e.Offset = int64(offset)
	return e
}

// blockFault returns an error about block i, with an offset in the chunk.
func blockFault(i, offset int, err error, format string, args ...any) *blosc2.FormatError {
	e := blosc2.Errorf(blosc2.PartBlock, err, format, args...)
	e.Block, e.Offset = i, int64(offset)
	return e
}

// streamFault adds block i and an offset in the chunk to the decoding error of
// a codec or filter. An unsupported feature is ErrUnsupported; any other error
// means that the data are corrupt. The error of a registered codec or filter
// stays in the chain.
func streamFault(i, offset int, err error) error {
	if e, ok := err.(*blosc2.FormatError); ok && e.Err != nil {
		f := blockFault(i, offset, e.Err, "%s", e.Msg)
		f.Cause = e.Cause
		return f
	}
	kind := blosc2.ErrCorrupt
	for _, other := range []error{blosc2.ErrUnsupported, blosc2.ErrOption, blosc2.ErrTooLarge, blosc2.ErrChecksum} {
		if errors.Is(err, other) {
			kind = other
			break
		}
	}
	if kind == blosc2.ErrOption {
		kind = blosc2.ErrUnsupported
	}
	return blockFault(i, offset, kind, "%v", err).WithCause(err)
}
