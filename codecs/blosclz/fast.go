package blosclz

import "github.com/seed03b80dae/blosc2/codecs/internal/mem"

// fast decodes instructions until one is invalid or near the end of src or dst, and
// returns the offsets of that instruction in both.
var fast = fastGeneric

func fastGeneric(dst, src []byte, op, ip int) (int, int) {
	srcEnd, dstEnd := len(src)-srcMargin, len(dst)-dstMargin
	for ip < srcEnd && op < dstEnd {
		c := int(mem.Load8(src, ip))
		at := ip + 1
		if c < literalMarker {
			mem.Copy32(dst, op, src, at)
			op += c + 1
			ip = at + c + 1
			continue
		}
		n := c >> 5
		if n == longLength {
			for at < srcEnd && n < dstEnd {
				x := int(mem.Load8(src, at))
				at++
				n += x
				if x != 255 {
					break
				}
			}
			if at >= srcEnd || n >= dstEnd-op {
				break
			}
		}
		n += minMatch - 1
		distance := (c&31)<<8 + int(mem.Load8(src, at)) + 1
		at++
		if distance == shortDistance+1 {
			distance += int(mem.Load8(src, at))<<8 | int(mem.Load8(src, at+1))
			at += 2
		}
		from := op - distance
		if from < 0 {
			break
		}
		switch {
		case n > longMatch:
			mem.Repeat(dst, op, distance, n)
		case distance >= 16:
			for i := 0; i < n; i += 32 {
				mem.Copy32(dst, op+i, dst, from+i)
			}
		case distance >= 8:
			for i := 0; i < n; i += 8 {
				mem.Store64(dst, op+i, mem.Load64(dst, from+i))
			}
		default:
			period, step := mem.Period(mem.Load64(dst, from), distance)
			for i := 0; i < n; i += step {
				mem.Store64(dst, op+i, period)
			}
		}
		op += n
		ip = at
	}
	return op, ip
}

// longMatch is the length above which matches are copied by the runtime instead of in
// steps of up to 32 bytes. It affects only the time: see docs/codecs.md, section 6.
const longMatch = 256
