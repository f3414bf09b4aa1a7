package blosclz

import (
	"encoding/binary"
	"math/bits"
)

// Levels that Encode knows.
const (
	MinLevel = 1
	MaxLevel = 9
)

// What a level means: the size of the hash table, how much of the input is
// probed, and the ratio that the probe must promise.
var levels = [MaxLevel + 1]struct {
	hashBits   uint8
	probeShift uint8 // the probe sees len >> probeShift bytes
	minRatio   float64
}{
	1: {12, 3, 2},
	2: {13, 2, 1.5},
	3: {14, 2, 1.2},
	4: {14, 1, 1.2},
	5: {14, 1, 1.2},
	6: {14, 1, 1.2},
	7: {14, 0, 1.15},
	8: {14, 0, 1.1},
	9: {14, 0, 1.0},
}

const maxTable = 1 << 14

// An Encoder holds the tables of the search for matches, which every call
// begins anew. The zero value is ready. It belongs to one goroutine at a time.
type Encoder struct {
	table [maxTable]uint32
}

// Encode compresses src into dst at a level of 1 to 9 (others count as the
// nearest of them) and gives the number of bytes written, or 0 where they do
// not fit or the data are not worth it. What is in dst is undefined then. It
// keeps neither slice; they must not overlap.
func (e *Encoder) Encode(dst, src []byte, level int) int {
	l := levels[min(max(level, MinLevel), MaxLevel)]
	t := e.table[:1<<l.hashBits]
	shift := 32 - l.hashBits
	probed := src[len(src)-len(src)>>l.probeShift:]
	probed = probed[:min(len(probed), len(t))]
	clear(t)
	if reached, counted := probe(t, shift, probed); float64(reached)/float64(counted) < l.minRatio {
		return 0
	}
	if len(src) < minInput || len(dst) < minOutput {
		return 0
	}
	clear(t)
	return encode(t, shift, dst, src, level >= MaxLevel)
}

func hash(w uint32, shift uint8) uint32 { return w * 2654435761 >> (shift & 31) }

func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// matchEnd compares src[i:] with src[i-distance:], of which the first four
// bytes are known to be equal, and gives the place behind the first byte that
// differs; or the last byte of src, where no byte before that differs.
func matchEnd(src []byte, i, distance int) int {
	bound := len(src) - 1
	i += 4
	for ; i <= bound-8; i += 8 {
		if x := load64(src, i) ^ load64(src, i-distance); x != 0 {
			return i + bits.TrailingZeros64(x)>>3 + 1
		}
	}
	for ; i < bound; i++ {
		if src[i] != src[i-distance] {
			return i + 1
		}
	}
	return bound
}

// probe counts the bytes that src would about be compressed to, and how many
// of src were seen.
func probe(t []uint32, shift uint8, src []byte) (reached, counted int) {
	literals := 4
	counted = 5
	i := 0
	for limit := len(src) - trailingInput; i < limit; {
		w := load32(src, i)
		h := hash(w, shift)
		ref := int(t[h])
		t[h] = uint32(i)
		d := i - ref
		end, length := 0, 0
		if d != 0 && d < farDistance && load32(src, ref) == w {
			end = matchEnd(src, i, d) - 4
			length = end - i
		}
		if length < minMatchLength {
			i++
			counted++
			literals++
			if literals == maxLiterals {
				literals = 0
				counted++
			}
			continue
		}
		if literals == 0 {
			counted--
		}
		literals = 0
		if d-1 < nearDistance {
			counted += 2
		} else {
			counted += 4
		}
		if length >= longLength {
			counted += (length-longLength)/255 + 1
		}
		t[hash(load32(src, end), shift)] = uint32(end)
		i = end + 2
		counted++
	}
	return i, counted
}

// encode writes the stream of src into dst.
func encode(t []uint32, shift uint8, dst, src []byte, twice bool) int {
	dst[0] = maxLiterals - 1
	copy(dst[1:5], src[:4])
	op, ip, literals := 5, 4, 4
	limit := len(src) - trailingInput
	for ip < limit {
		w := load32(src, ip)
		h := hash(w, shift)
		ref := int(t[h])
		t[h] = uint32(ip)
		d := ip - ref
		end, length := 0, 0
		if d != 0 && d < farDistance && load32(src, ref) == w {
			end = matchEnd(src, ip, d) - 4
			length = end - ip
		}
		d--
		if length < minMatchLength || length < minFarLength && d >= nearDistance {
			if op+2 > len(dst) {
				return 0
			}
			dst[op] = src[ip]
			op++
			ip++
			literals++
			if literals == maxLiterals {
				literals = 0
				dst[op] = maxLiterals - 1
				op++
			}
			continue
		}

		if literals > 0 {
			dst[op-literals-1] = byte(literals - 1)
		} else {
			op--
		}
		literals = 0
		n := putMatch(dst[op:], length, d)
		if n == 0 || op+n >= len(dst) {
			return 0
		}
		op += n

		t[hash(load32(src, end), shift)] = uint32(end)
		if twice {
			t[hash(load32(src, end)>>8, shift)] = uint32(end + 1)
		}
		ip = end + 2
		dst[op] = maxLiterals - 1
		op++
	}

	for ; ip < len(src); ip++ {
		if op+2 > len(dst) {
			return 0
		}
		dst[op] = src[ip]
		op++
		literals++
		if literals == maxLiterals {
			literals = 0
			dst[op] = maxLiterals - 1
			op++
		}
	}
	if literals > 0 {
		dst[op-literals-1] = byte(literals - 1)
	} else {
		op--
	}
	dst[0] |= literalMarker
	return op
}

// putMatch writes the instruction for a match of length+2 bytes, d+1 before;
// 0 means that it does not fit.
func putMatch(dst []byte, length, d int) int {
	room := 2
	if length >= longLength {
		room += (length-longLength)/255 + 1
	}
	far := d >= nearDistance
	if far {
		room += 2
	}
	if room > len(dst) {
		return 0
	}
	high := d >> 8
	if far {
		high = 31
	}
	op := 1
	if length < longLength {
		dst[0] = byte(length<<5 | high)
	} else {
		dst[0] = byte(longLength<<5 | high)
		for length -= longLength; length >= 255; length -= 255 {
			dst[op] = 255
			op++
		}
		dst[op] = byte(length)
		op++
	}
	if !far {
		dst[op] = byte(d)
		return op + 1
	}
	d -= nearDistance
	dst[op] = 255
	dst[op+1] = byte(d >> 8)
	dst[op+2] = byte(d)
	return op + 3
}
