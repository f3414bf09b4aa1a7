package lz4

import (
	"errors"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/bulk"
)

// ErrCorrupt is returned by Decode for an invalid block, and for one that decodes
// to more than the destination.
var ErrCorrupt = errors.New("corrupt block")

// These margins bound how far one iteration of the fast loop reads and writes beyond its
// start. Long literals and matches are checked to end before them, and are copied with up
// to 63 bytes more.
const (
	srcMargin = 72  // 63 bytes after literals, and 9 in reserve
	dstMargin = 96  // 63 bytes after a match, and 33 in reserve
	long      = 256 // length from which the runtime's copy is faster than steps of 32 bytes
)

// Decode decompresses a block into dst and returns the number of bytes. Matches may
// reach back into dict, as if it preceded dst. It writes nothing after dst, which
// must not overlap src, and keeps no slice.
func Decode(dst, src, dict []byte) (int, error) {
	op, ip := 0, 0
	for {
		op, ip = fast(dst, src, op, ip)
		var err error
		if op, ip, err = step(dst, src, dict, op, ip); err != nil {
			return 0, err
		}
		if ip == len(src) {
			return op, nil
		}
	}
}

// fast decodes sequences until one is near the end of src or dst, reaches into the
// dictionary or is invalid, and returns the offsets of that sequence in both.
var fast = fastGeneric

func fastGeneric(dst, src []byte, op, ip int) (int, int) {
	srcEnd, dstEnd := len(src)-srcMargin, len(dst)-dstMargin
	for ip < srcEnd && op < dstEnd {
		token := int(mem.Load8(src, ip))
		at, end := ip+1, op // range of the literals
		if n := token >> 4; n < 15 {
			mem.Copy16(dst, op, src, at)
			at += n
			end += n
		} else {
			var ok bool
			if n, at, ok = length(src, at, n); !ok || n >= srcEnd-at || n >= dstEnd-op {
				break
			}
			if n <= 32 {
				mem.Copy32(dst, op, src, at)
			} else {
				bulk.Copy(dst[op:op+n], src[at:at+n])
			}
			at += n
			end += n
		}

		distance := int(mem.Load16(src, at))
		at += 2
		n := token & 15
		if n == 15 {
			var ok bool
			if n, at, ok = length(src, at, n); !ok || at >= srcEnd || n >= dstEnd-end {
				break
			}
		}
		n += minMatch
		from := end - distance
		if from < 0 || distance == 0 {
			break
		}
		switch {
		case n > long:
			mem.Repeat(dst, end, distance, n)
		case distance >= 16:
			mem.Copy32(dst, end, dst, from)
			for i := 32; i < n; i += 32 {
				mem.Copy32(dst, end+i, dst, from+i)
			}
		case distance >= 8:
			for i := 0; i < n; i += 8 {
				mem.Store64(dst, end+i, mem.Load64(dst, from+i))
			}
		default:
			period, step := mem.Period(mem.Load64(dst, from), distance)
			for i := 0; i < n; i += step {
				mem.Store64(dst, end+i, period)
			}
		}
		op, ip = end+n, at
	}
	return op, ip
}

// step decodes one sequence (lz4_Block_format.md, "Compressed block format") and checks
// everything but the "End of block conditions", which serve decoders that copy words
// without checks; see docs/decoders.md.
func step(dst, src, dict []byte, op, ip int) (int, int, error) {
	if ip >= len(src) {
		return 0, 0, ErrCorrupt
	}
	// The token's high bits and the length bytes hold the number of literals.
	token := src[ip]
	n, ip, ok := length(src, ip+1, int(token>>4))
	if !ok || n > len(src)-ip || n > len(dst)-op {
		return 0, 0, ErrCorrupt
	}
	bulk.Copy(dst[op:], src[ip:ip+n])
	op += n
	ip += n
	if ip == len(src) { // the last sequence ends with its literals
		return op, ip, nil
	}
	// The offset follows, of which 0 is invalid. The token's low bits and length bytes
	// hold the length of the match less 4.
	if len(src)-ip < 2 {
		return 0, 0, ErrCorrupt
	}
	distance := int(src[ip]) | int(src[ip+1])<<8
	n, ip, ok = length(src, ip+2, int(token&15))
	n += minMatch
	if !ok || n > len(dst)-op || distance == 0 || distance > op+len(dict) {
		return 0, 0, ErrCorrupt
	}
	if distance > op {
		m := copy(dst[op:op+n], dict[len(dict)-(distance-op):])
		op += m
		n -= m
	}
	mem.Repeat(dst, op, distance, n)
	return op + n, ip, nil
}

// longest is longer than any destination, and small enough that sums fit an int
// of 32 bits (lz4_Block_format.md, "Large lengths").
const longest = 1 << 30

// length adds the length bytes at src[ip:] to n, and returns the sum and the position
// after them.
func length(src []byte, ip, n int) (int, int, bool) {
	if n < 15 {
		return n, ip, true
	}
	for ip < len(src) && n < longest {
		x := src[ip]
		ip++
		n += int(x)
		if x != 255 {
			return n, ip, true
		}
	}
	return 0, 0, false
}
