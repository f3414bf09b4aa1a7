package chunk

import (
	"errors"
	"fmt"

	"github.com/seed03b80dae/blosc2"
)

// run decodes a stream of which all bytes are equal. csize is 0 for zeros, with
// nothing behind it, and -v for bytes v, with a token behind it whose bit 0 is
// set (chunk.md §3). n is the number of bytes that it took from src.
func run(dst, src []byte, csize int) (n int, err error) {
	if csize == 0 {
		clear(dst)
		return 0, nil
	}
	if csize < -255 || len(src) < 1 || src[0]&runToken == 0 {
		return 0, fmt.Errorf("stream of %d bytes that is no run", csize)
	}
	fill(dst, byte(-csize))
	return 1, nil
}

// putRun writes the run-length form of a stream of bytes v, and gives its
// length.
func putRun(c []byte, v byte) int {
	putI32(c, -int(v))
	if v == 0 {
		return 4
	}
	c[4] = runToken
	return 5
}

// runToken stands behind the length of a run.
const runToken = 1

func fill(dst []byte, v byte) {
	for i := range dst {
		dst[i] = v
	}
}

// streamFault places what a codec or filter said about block i. What it says of
// options and unknown ids is about what the chunk asks for, so it is
// unsupported; all else is corrupt.
func streamFault(i, offset int, err error) error {
	kind := blosc2.ErrCorrupt
	if errors.Is(err, blosc2.ErrUnsupported) || errors.Is(err, blosc2.ErrOption) {
		kind = blosc2.ErrUnsupported
	}
	return blockFault(i, offset, kind, "%v", err)
}
