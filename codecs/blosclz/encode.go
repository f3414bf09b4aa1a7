package blosclz

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

// An Encoder holds the tables of the search for matches, which every call
// begins anew. The zero value is ready. It belongs to one goroutine at a time.
type Encoder struct {
	near table[uint16] // for inputs whose positions fit
	far  table[uint32]
}

// Encode compresses src into dst at a level of 1 to 9 (others count as the
// nearest of them) and gives the number of bytes written, or 0 where they do
// not fit or the data are not worth it. What is in dst is undefined then. It
// keeps neither slice; they must not overlap.
func (e *Encoder) Encode(dst, src []byte, level int) int {
	level = min(max(level, MinLevel), MaxLevel)
	if len(src) <= 1<<16 {
		return encode(&e.near, dst, src, level)
	}
	return encode(&e.far, dst, src, level)
}

func encode[P position](t *table[P], dst, src []byte, level int) int {
	l := &levels[level]
	probed := src[len(src)-len(src)>>l.probeShift:]
	probed = probed[:min(len(probed), 1<<l.hashBits)]
	t.reset(l.hashBits)
	if seen, counted := probe(t, probed); float64(seen)/float64(counted) < l.minRatio {
		return 0
	}
	if len(src) < minInput || len(dst) < minOutput {
		return 0
	}
	t.reset(l.hashBits)

	op, anchor, ip := 0, 0, 4
	for limit := len(src) - trailingInput; ; {
		at, distance, end := t.search(src, ip, limit, minFarLength)
		if at >= limit {
			ip = at
			break
		}
		if op = putLiterals(dst, op, src[anchor:at]); op < 0 {
			return 0
		}
		if op = putMatch(dst, op, end-at, distance-1); op < 0 {
			return 0
		}
		t.put(src, end)
		if level == MaxLevel {
			t.putNext(src, end)
		}
		anchor = end + 2
		ip = anchor
	}
	if op = putLiterals(dst, op, src[anchor:]); op < 0 {
		return 0
	}
	dst[0] |= literalMarker
	return op
}

// probe counts the bytes that src would about be compressed to, and how many
// of src were seen for that.
func probe[P position](t *table[P], src []byte) (seen, counted int) {
	pending := 4 // literals
	counted = 5
	for limit := len(src) - trailingInput; seen < limit; {
		at, distance, end := t.search(src, seen, limit, minMatchLength)
		literals := at - seen
		counted += literals + (pending+literals)/maxLiterals
		pending = (pending + literals) % maxLiterals
		if at >= limit {
			return at, counted
		}
		length := end - at
		if pending == 0 {
			counted-- // a control byte that is not needed
		}
		pending = 0
		counted += 2
		if distance > nearDistance {
			counted += 2
		}
		if length >= longLength {
			counted += (length-longLength)/255 + 1
		}
		counted++ // the control byte of the literals that come next
		t.put(src, end)
		seen = end + 2
	}
	return seen, counted
}

// putLiterals writes src as literal runs; -1 means that they do not fit. Like
// C-Blosc2's it wants room for a control byte behind every literal.
func putLiterals(dst []byte, op int, src []byte) int {
	if len(src) == 0 {
		return op
	}
	if before := len(src) - 1; op+1+before+before/maxLiterals+2 > len(dst) {
		return -1
	}
	for ; len(src) > maxLiterals; src = src[maxLiterals:] {
		dst[op] = maxLiterals - 1
		copy(dst[op+1:op+1+maxLiterals], src[:maxLiterals])
		op += 1 + maxLiterals
	}
	dst[op] = byte(len(src) - 1)
	return op + 1 + copy(dst[op+1:], src)
}

// putMatch writes the instruction for a match of length+2 bytes, d+1 before;
// -1 means that it does not fit, with the control byte that follows it.
func putMatch(dst []byte, op, length, d int) int {
	size := 2
	if length >= longLength {
		size += (length-longLength)/255 + 1
	}
	far := d >= nearDistance
	high := d >> 8
	if far {
		size += 2
		high = 31
		d -= nearDistance
	}
	if op+size >= len(dst) {
		return -1
	}
	if length < longLength {
		dst[op] = byte(length<<5 | high)
		op++
	} else {
		dst[op] = byte(longLength<<5 | high)
		op++
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
