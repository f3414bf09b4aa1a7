package chunk

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
)

// AppendConstant appends an ordinary chunk of nbytes bytes that holds value
// again and again; len(value), 1 to 255, is the typesize and divides nbytes,
// which is at most MaxBlockSize. The chunk is one shuffled block whose streams
// are all run-length forms, so that it has 36 bytes and four or five for each
// byte of an item. Unlike a special chunk it can stand anywhere in a frame.
func AppendConstant(dst []byte, nbytes int, value []byte) ([]byte, error) {
	t := len(value)
	switch {
	case t < 1 || t > MaxTypeSize:
		return dst, &blosc2.OptionError{Option: "typesize", Value: t, Range: "1 to 255 for a constant chunk"}
	case nbytes < 1 || nbytes > MaxBlockSize || nbytes%t != 0:
		return dst, &blosc2.OptionError{Option: "chunk size", Value: nbytes, Range: fmt.Sprintf("a multiple of %d up to %d", t, MaxBlockSize)}
	}
	h := Header{
		Version:      Version,
		CodecVersion: codecVersion,
		Flags:        flagExtended,
		TypeSize:     t,
		NBytes:       nbytes,
		BlockSize:    nbytes,
		Filters:      Default.Filters,
	}
	start := len(dst)
	dst = append(dst, make([]byte, HeaderLen+4+5*t)...)
	c := dst[start:]
	putI32(c[HeaderLen:], HeaderLen+4)
	pos := HeaderLen + 4
	for _, v := range value {
		pos += putRun(c[pos:], v)
	}
	h.CBytes = pos
	h.put(c)
	return dst[:start+pos], nil
}
