package blosclz

import (
	"encoding/binary"
	"errors"
)

// ErrCorrupt is what Decode gives for bytes that are no stream, and for a
// stream that is longer than the destination.
var ErrCorrupt = errors.New("blosclz: corrupt stream")

// Decode decompresses src into dst and gives the number of bytes that it
// wrote, which is less than len(dst) where the stream is shorter. It writes
// nothing behind dst and keeps neither slice; they must not overlap.
func Decode(dst, src []byte) (int, error) {
	if len(src) == 0 {
		return 0, nil
	}
	op, ip := 0, 1
	c := int(src[0]) & (literalMarker - 1)
	for {
		if c < literalMarker {
			n := c + 1
			if n > len(src)-ip || n > len(dst)-op {
				return 0, ErrCorrupt
			}
			if len(src)-ip >= maxLiterals && len(dst)-op >= maxLiterals {
				// Always 32 bytes, which needs no call: what is too much
				// will be overwritten.
				copy(dst[op:op+maxLiterals], src[ip:ip+maxLiterals])
			} else {
				copy(dst[op:op+n], src[ip:ip+n])
			}
			op += n
			ip += n
			if ip >= len(src) {
				return op, nil
			}
			c = int(src[ip])
			ip++
			continue
		}

		length := c >> 5
		distance := (c & 31) << 8
		if length == longLength {
			for {
				if ip+1 >= len(src) {
					return 0, ErrCorrupt
				}
				x := src[ip]
				ip++
				length += int(x)
				if x != 255 {
					break
				}
			}
		} else if ip+1 >= len(src) {
			return 0, ErrCorrupt
		}
		length += minMatch - 1
		b := int(src[ip])
		ip++
		distance += b + 1
		if distance == nearDistance+1 {
			if ip+1 >= len(src) {
				return 0, ErrCorrupt
			}
			distance = int(binary.BigEndian.Uint16(src[ip:])) + nearDistance + 1
			ip += 2
		}
		if length > len(dst)-op || distance > op {
			return 0, ErrCorrupt
		}
		if ip >= len(src) {
			return op, nil // C-Blosc2 leaves out a match that ends the stream
		}
		c = int(src[ip])
		ip++
		copyMatch(dst, op, distance, length)
		op += length
	}
}

// copyMatch repeats length bytes that lie distance before op. The caller has
// checked both against dst.
func copyMatch(dst []byte, op, distance, length int) {
	switch {
	case distance >= length:
		copy(dst[op:op+length], dst[op-distance:])
	case distance == 1:
		run := dst[op : op+length]
		x := dst[op-1]
		for i := range run {
			run[i] = x
		}
	default:
		// Each copy doubles what can be copied at once.
		from, end := op-distance, op+length
		for op < end {
			op += copy(dst[op:end], dst[from:op])
		}
	}
}
