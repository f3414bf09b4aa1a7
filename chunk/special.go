package chunk

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/shuffle"
)

var (
	nan4 = []byte{0, 0, 0xc0, 0x7f}
	nan8 = []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}
)

// fillSpecial writes the decoded bytes of a special chunk that begin at offset off to
// dst.
func fillSpecial(dst []byte, l *Layout, off int) {
	var value []byte
	switch l.Header.Special() {
	case NaN:
		value = nan4
		if l.Header.TypeSize == 8 {
			value = nan8
		}
	case Repeat:
		value = l.value
	default:
		clear(dst)
		return
	}
	n := copy(dst, value[off%len(value):])
	if n < len(dst) {
		shuffle.Fill(dst[n:], value)
	}
}

// AppendZeros appends a special chunk of nbytes zero bytes to dst, as the constructors of
// C-Blosc2 make it: 32 bytes. typesize is the size of an item, at least 1; a size above
// 255 is stored as 1. Such chunks are for memory and for the index of a frame. C-Blosc2
// does not read them from a frame's data on disk.
func AppendZeros(dst []byte, nbytes, typesize int) ([]byte, error) {
	return appendSpecial(dst, Zeros, nbytes, typesize, nil)
}

// AppendNaN is like AppendZeros, for quiet NaNs. typesize must be 4 or 8 and divide
// nbytes.
func AppendNaN(dst []byte, nbytes, typesize int) ([]byte, error) {
	return appendSpecial(dst, NaN, nbytes, typesize, nil)
}

// AppendUninit is like AppendZeros, for bytes with undefined values. typesize must divide
// nbytes. This library decodes the bytes as zeros.
func AppendUninit(dst []byte, nbytes, typesize int) ([]byte, error) {
	return appendSpecial(dst, Uninit, nbytes, typesize, nil)
}

// AppendRepeat appends a special chunk of 32+len(value) bytes that repeats value. The
// length of value is the typesize, which must divide nbytes.
func AppendRepeat(dst []byte, nbytes int, value []byte) ([]byte, error) {
	return appendSpecial(dst, Repeat, nbytes, len(value), value)
}

func appendSpecial(dst []byte, s Special, nbytes, typesize int, value []byte) ([]byte, error) {
	p := Params{Level: 5, TypeSize: typesize, Filters: filters.Default()} // C-Blosc2 computes the block size with these
	switch {
	case nbytes < 1 || nbytes > MaxBytes:
		return dst, &blosc2.OptionError{Option: "chunk size", Value: nbytes, Range: "1 to 2147483615"}
	case typesize < 1 || typesize > MaxBlockSize:
		return dst, &blosc2.OptionError{Option: "typesize", Value: typesize, Range: "1 to 536866816"}
	case s == NaN && typesize != 4 && typesize != 8:
		return dst, &blosc2.OptionError{Option: "typesize", Value: typesize, Range: "4 or 8 for NaN"}
	case s != Zeros && nbytes%typesize != 0:
		return dst, &blosc2.OptionError{Option: "chunk size", Value: nbytes, Range: "a multiple of the typesize"}
	}
	start := len(dst)
	dst = append(dst, make([]byte, HeaderLen)...)
	dst = append(dst, value...)
	c := dst[start:]
	c[0], c[1], c[2], c[3] = Version, codecVersion, flagExtended, uint8(p.typeSize())
	putI32(c[4:], nbytes)
	putI32(c[8:], p.blockSize(nbytes))
	putI32(c[12:], len(c))
	c[31] = uint8(s) << specialShift
	return dst, nil
}
