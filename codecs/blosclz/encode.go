package blosclz

import "github.com/seed03b80dae/blosc2/codecs/internal/mem"

// These are the levels of Encode.
const (
	MinLevel = 1
	MaxLevel = 9
)

// levels holds the parameters of each level: the size of the hash table, how much
// of the input is probed, and the ratio that the probe must predict.
var levels = [MaxLevel + 1]struct {
	hashBits   uint8
	probeShift uint8 // the probe examines len >> probeShift bytes
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

// An Encoder holds the tables of the search for matches, which every call
// resets. The zero value is ready. It belongs to one goroutine at a time.
type Encoder struct {
	table16 table[uint16] // for inputs whose positions fit in 16 bits
	table32 table[uint32]
	found   [64]match
}

// Encode compresses src into dst at a level of 1 to 9 (others are treated as
// the nearest) and returns the number of bytes written, or 0 if they do not fit
// or compression does not pay. The contents of dst are then undefined. It keeps
// neither slice; they must not overlap.
func (e *Encoder) Encode(dst, src []byte, level int) int {
	level = min(max(level, MinLevel), MaxLevel)
	if len(src) <= 1<<16 {
		e.table16.asm = assembly16
		return encode(&e.table16, e.found[:], dst, src, level)
	}
	e.table32.asm = assembly32
	return encode(&e.table32, e.found[:], dst, src, level)
}

func encode[P position](t *table[P], found []match, dst, src []byte, level int) int {
	l := &levels[level]
	probed := src[len(src)-len(src)>>l.probeShift:]
	probed = probed[:min(len(probed), 1<<l.hashBits)]
	t.reset(l.hashBits)
	if !t.promising(probed, l.minRatio, found) || len(src) < minInput || len(dst) < minOutput {
		return 0
	}
	t.reset(l.hashBits)

	op, anchor, ip := 0, 0, 4
	deep := level == MaxLevel
	for limit := len(src) - trailingInput; ip < limit; {
		var n int
		if end := len(src) - writeRoom; ip < end && len(dst) >= writeRoom {
			n, ip, op, anchor = t.write(dst, op, src, anchor, ip, end, deep, found)
		} else {
			n, ip = t.search(src, ip, limit, minFarLength, deep, found)
		}
		for _, m := range found[:n] {
			if op = putLiterals(dst, op, src, anchor, int(m.at)); op < 0 {
				return 0
			}
			if op = putMatch(dst, op, int(m.end-m.at), int(m.distance)-1); op < 0 {
				return 0
			}
			anchor = int(m.end) + 2
		}
	}
	if op = putLiterals(dst, op, src, anchor, len(src)); op < 0 {
		return 0
	}
	dst[0] |= literalMarker
	return op
}

// promising reports whether src would be compressed to less than 1/minRatio, which it
// determines by counting bytes.
func (t *table[P]) promising(src []byte, minRatio float64, found []match) bool {
	const step = 512 // bytes searched before the count is checked
	seen, anchor := 0, 0
	pending, counted := 4, 5 // literals since the last match, and the output bytes so far
	for limit := len(src) - trailingInput; seen < limit; {
		var n int
		n, seen = t.search(src, seen, min(seen+step, limit), minMatchLength, false, found)
		for _, m := range found[:n] {
			literals := int(m.at) - anchor
			pending += literals
			counted += literals + pending/maxLiterals
			if pending%maxLiterals == 0 {
				counted-- // the last run is full, so it needs no further control byte
			}
			pending = 0
			counted += 2
			if m.distance > shortDistance {
				counted += 2
			}
			if length := m.end - m.at; length >= longLength {
				counted += int((length-longLength)/255) + 1
			}
			counted++ // the control byte of the literals that come next
			anchor = int(m.end) + 2
		}
		if anchor < seen && float64(len(src))/float64(counted+seen-anchor-1) < minRatio {
			return false // the ratio cannot be reached, whatever follows
		}
	}
	if anchor < seen {
		literals := seen - anchor
		counted += literals + (pending+literals)/maxLiterals
	}
	return float64(seen)/float64(counted) >= minRatio
}

// putLiterals writes src[from:end] as literal runs. It returns the new position, or -1 if
// they do not fit. Like C-Blosc2 it requires room for a control byte after every literal.
func putLiterals(dst []byte, op int, src []byte, from, end int) int {
	n := end - from
	if n == 0 {
		return op
	}
	if end+maxLiterals <= len(src) && op+n+n/maxLiterals+2*maxLiterals <= len(dst) {
		// Copy whole runs of 32 bytes; the bytes after the end are overwritten later.
		for ; n > maxLiterals; n -= maxLiterals {
			dst[op] = maxLiterals - 1
			mem.Copy32(dst, op+1, src, from)
			op += 1 + maxLiterals
			from += maxLiterals
		}
		dst[op] = byte(n - 1)
		mem.Copy32(dst, op+1, src, from)
		return op + 1 + n
	}
	if before := n - 1; op+1+before+before/maxLiterals+2 > len(dst) {
		return -1
	}
	for ; n > maxLiterals; n -= maxLiterals {
		dst[op] = maxLiterals - 1
		copy(dst[op+1:op+1+maxLiterals], src[from:])
		op += 1 + maxLiterals
		from += maxLiterals
	}
	dst[op] = byte(n - 1)
	return op + 1 + copy(dst[op+1:], src[from:end])
}

// putMatch writes the instruction for a match of length+2 bytes at distance d+1. It
// returns the new position, or -1 if the instruction and the next control byte do not
// fit.
func putMatch(dst []byte, op, length, d int) int {
	size := 2
	if length >= longLength {
		size += (length-longLength)/255 + 1
	}
	far := d >= shortDistance
	high := d >> 8
	if far {
		size += 2
		high = 31
		d -= shortDistance
	}
	if op+size >= len(dst) {
		return -1
	}
	dst[op] = byte(min(length, longLength)<<5 | high)
	op++
	if length >= longLength {
		for length -= longLength; length >= 255; length -= 255 {
			dst[op] = 255
			op++
		}
		dst[op] = byte(length)
		op++
	}
	if far {
		dst[op] = 255
		dst[op+1] = byte(d >> 8)
		op += 2
	}
	dst[op] = byte(d)
	return op + 1
}
