package blosclz

import (
	"errors"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/bulk"
)

// ErrCorrupt is returned by Decode for an invalid stream, and for one that decodes
// to more than the destination.
var ErrCorrupt = errors.New("blosclz: corrupt stream")

// These margins bound how far one iteration of the fast loop reads and writes beyond its
// start, except for long matches.
const (
	srcMargin = 80  // two instructions of at most 33 bytes, or one and a length byte
	dstMargin = 112 // two runs of 32 bytes, or a run and a match, and a reserve
)

// Decode decompresses src into dst and returns the number of bytes that it
// wrote, which is less than len(dst) if the stream is shorter. It writes
// nothing after dst and keeps neither slice; they must not overlap.
func Decode(dst, src []byte) (int, error) {
	if len(src) == 0 {
		return 0, nil
	}
	op, ip, err := literals(dst, src, 0, 1, int(src[0])&(literalMarker-1)+1)
	for err == nil && ip < len(src) {
		op, ip = fast(dst, src, op, ip)
		op, ip, err = step(dst, src, op, ip)
	}
	if err != nil {
		return 0, err
	}
	return op, nil
}

// longest is longer than any destination, and small enough that sums fit an int
// of 32 bits.
const longest = 1 << 30

// step decodes the instruction at src[ip:], of which there is at least one
// byte, and checks everything (docs/format/codecs.md §2).
func step(dst, src []byte, op, ip int) (int, int, error) {
	c := int(src[ip])
	ip++
	if c < literalMarker {
		return literals(dst, src, op, ip, c+1)
	}
	length := c >> 5
	distance := (c & 31) << 8
	for long := length == longLength; long; {
		if ip+1 >= len(src) || length >= longest {
			return 0, 0, ErrCorrupt
		}
		x := src[ip]
		ip++
		length += int(x)
		long = x == 255
	}
	length += minMatch - 1
	// The format would allow a match to end with its distance in the last byte, if
	// the length has no extension; C-Blosc2 rejects it.
	if ip >= len(src) || c>>5 < longLength && ip+1 >= len(src) {
		return 0, 0, ErrCorrupt
	}
	distance += int(src[ip]) + 1
	ip++
	if distance == shortDistance+1 {
		if ip+1 >= len(src) {
			return 0, 0, ErrCorrupt
		}
		distance += int(src[ip])<<8 | int(src[ip+1])
		ip += 2
	}
	if length > len(dst)-op || distance > op {
		return 0, 0, ErrCorrupt
	}
	if ip == len(src) {
		return op, ip, nil // C-Blosc2 ignores a match that ends the stream
	}
	mem.Repeat(dst, op, distance, length)
	return op + length, ip, nil
}

func literals(dst, src []byte, op, ip, n int) (int, int, error) {
	if n > len(src)-ip || n > len(dst)-op {
		return 0, 0, ErrCorrupt
	}
	bulk.Copy(dst[op:op+n], src[ip:ip+n])
	return op + n, ip + n, nil
}
