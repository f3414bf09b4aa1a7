package zstd

import (
	"encoding/binary"
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// A huffmanDecoder decodes literals with the code of the block or of a previous block.
type huffmanDecoder struct {
	// one is indexed by the next bits, as many as the longest code has. An entry is
	// the byte in the upper bits, and the number of bits of its code below.
	one  [1 << maxCodeBits]uint16
	log  uint // number of bits that index one; 0 for no code
	pair bool // two is valid
	// two is indexed by the next maxCodeBits bits. An entry is the one or two bytes
	// with codes at the beginning of these bits, in the upper half; below them the
	// number of bytes, and below that the number of bits of their codes.
	two     [1 << maxCodeBits]uint32
	second  [1 << (maxCodeBits - 1)]uint32 // scratch memory of buildPairs
	weights [256]uint8
	fse     decodeTable
	streams [4]byteStream
	work    [4]byteStream
}

// weightValues holds the symbols of the table that codes weights.
var weightValues [maxCodeBits + 2]entry

// readTable reads a Huffman_Tree_Description (RFC 8878, 4.2.1) at src[at:end], and
// returns the offset of the streams after it, or 0 if it is invalid. At least 8
// bytes must precede the description.
func (h *huffmanDecoder) readTable(src []byte, at, end int) (next int) {
	h.log, h.pair = 0, false
	if at >= end {
		return 0
	}
	n, size := 0, int(src[at])
	at++
	if size < 128 { // Huffman_Tree_Header (4.2.1.1): weights coded by FSE, or directly
		next = at + size
		if next > end {
			return 0
		}
		n = h.readWeights(src, at, next)
	} else {
		n = size - 127
		next = at + (n+1)/2
		if next > end {
			return 0
		}
		for i := range n {
			h.weights[i] = src[at+i/2] >> (4 * (^i & 1)) & 15
		}
	}
	if n == 0 || !h.build(n) {
		return 0
	}
	return next
}

// readWeights decodes the weights in src[at:end], which are coded with two
// alternating states, and returns their number, or 0 if they are invalid.
func (h *huffmanDecoder) readWeights(src []byte, at, end int) (n int) {
	// RFC 8878, 4.2.1.2: an FSE table with a log of at most 6, then the states,
	// which end when there are too few bits for the next one.
	var norm [maxCodeBits + 2]int16
	symbols, log, size := readCounts(norm[:], src[at:end], 6)
	if size == 0 || at+size >= end || src[end-1] == 0 {
		return 0
	}
	h.fse.build(norm[:symbols], log, weightValues[:])
	b := byteStream{begin: at + size, left: stream(src, at+size, end)}
	states := [2]uint64{b.read(src, log), b.read(src, log)}
	if b.left < 0 {
		return 0
	}
	for i := 0; ; i ^= 1 {
		e := h.fse.entries[states[i]&63]
		if n >= 254 {
			return 0
		}
		h.weights[n] = uint8(e.base())
		n++
		if b.left < int(e.bits()) {
			h.weights[n] = uint8(h.fse.entries[states[i^1]&63].base())
			return n + 1
		}
		states[i] = uint64(e.next()) + b.read(src, uint(e.bits()))
	}
}

// build makes the table of n weights and of the last one, which follows from
// them.
func (h *huffmanDecoder) build(n int) bool {
	// RFC 8878, 4.2.1.3: a weight w is for a code of log+1-w bits, and the sum
	// of 1<<(w-1) is a power of two.
	var counts [16]int
	for _, w := range h.weights[:n] {
		counts[w&15]++
	}
	sum := 0
	for w := 1; w < len(counts); w++ {
		sum += counts[w] << (w - 1)
	}
	if sum == 0 || sum >= 1<<maxCodeBits {
		return false
	}
	log := bits.Len(uint(sum))
	rest := 1<<log - sum
	if rest&(rest-1) != 0 {
		return false
	}
	last := bits.Len(uint(rest))
	h.weights[n] = uint8(last)
	counts[last]++
	if counts[1] < 2 { // there are two codes of maximum length, or all are shorter
		return false
	}
	var begin [16]int
	at := 0
	for w := 1; w <= log; w++ {
		begin[w] = at
		at += counts[w] << (w - 1)
	}
	for s, w := range h.weights[:n+1] {
		if w == 0 {
			continue
		}
		e := uint16(log+1-int(w)) | uint16(s)<<8
		span := 1 << (w - 1)
		run := h.one[begin[w&15]:][:span]
		begin[w&15] += span
		for i := range run {
			run[i] = e
		}
	}
	h.log = uint(log)
	return true
}

// buildPairs makes the table of two.
func (h *huffmanDecoder) buildPairs() {
	h.pair = true
	shift := (maxCodeBits - h.log) & 15
	// After a first code of n bits the same second codes may follow, whichever it is. So the
	// second halves of entries are computed once for each n. The codes in one are ordered by n.
	var second []uint32
	for i, known := 0, uint32(0); i < len(h.two); {
		e := uint32(h.one[i>>shift])
		n := e & 15
		if n != known {
			known = n
			second = h.second[:len(h.two)>>n]
			for k := range second {
				s := uint32(h.one[uint32(k)<<n>>shift&(1<<maxCodeBits-1)])
				// fits is all ones if the second code is entirely in the maxCodeBits bits, and 0
				// otherwise. A branch would be unpredictable.
				fits := uint32(int32(n+s&15-maxCodeBits-1) >> 31)
				second[k] = 1<<8 | n + (s&^255<<16|1<<8|s&15)&fits
			}
		}
		first, entries := e&^255<<8, h.two[i:][:len(second)]
		for k, s := range second {
			entries[k] = first + s
		}
		i += len(second)
	}
}

// A byteStream is one of the streams of Huffman codes. The assembly depends on its
// layout.
type byteStream struct {
	begin int // where the stream begins in the source
	left  int // number of bits that are not decoded yet
	out   int // position in the destination
	end   int // end of the stream's bytes in the destination
}

// decode fills dst from src[at:end], which holds one stream or four. At least 8
// bytes must precede it. After the n bytes of dst, a quarter more may be written.
func (h *huffmanDecoder) decode(dst, src []byte, at, end, n, streams int) bool {
	s := &h.streams
	if streams == 1 {
		s[0] = byteStream{begin: at, left: stream(src, at, end), end: n}
		return h.finish(&s[0], dst, src)
	}
	quarter := (n + 3) / 4
	if end-at < 6 || 3*quarter > n {
		return false
	}
	// Jump_Table (RFC 8878, 3.1.1.3.1.6): the sizes of the first three streams,
	// each of a quarter of the literals, rounded up.
	sizes, begin := src[at:], at+6
	for i := range s {
		to := end
		if i < 3 {
			to = begin + int(binary.LittleEndian.Uint16(sizes[2*i:]))
		}
		if to > end {
			return false
		}
		s[i] = byteStream{begin: begin, left: stream(src, begin, to), out: i * quarter, end: min((i+1)*quarter, n)}
		if s[i].left < 0 {
			return false
		}
		begin = to
	}
	if decodeOnes != nil {
		h.decodeFour(dst, src, n, end-at)
	}
	for i := range s {
		if !h.finish(&s[i], dst, src) {
			return false
		}
	}
	return true
}

// decodeFour decodes most of the four streams. If one of them ends earlier, another is
// decoded twice in its place, into memory after all literals: the loop always decodes
// four streams, which takes no longer than fewer.
func (h *huffmanDecoder) decodeFour(dst, src []byte, n, coded int) {
	pairs := n >= manyPairs && coded*8 < n*shortCodes
	if pairs && !h.pair {
		h.buildPairs()
	}
	s := &h.streams
	work := &h.work
	*work = *s
	for {
		if pairs {
			decodeTwos(&h.two, work, dst, src)
		} else {
			decodeOnes(&h.one, work, dst, src, 64-h.log)
		}
		rest := -1 // a stream that is still long
		for i := range s {
			if s[i].long() {
				s[i] = work[i]
			}
			if s[i].long() {
				rest = i
			}
		}
		if rest < 0 {
			return
		}
		for i := range work {
			if !s[i].long() {
				work[i] = s[rest]
				work[i].out = n
				work[i].end = n + s[rest].end - s[rest].out
			}
		}
	}
}

// long reports whether the loop over four streams can decode another word of s. A word
// holds up to perFlush codes, each of one or two bytes.
func (s *byteStream) long() bool { return s.end-s.out > 2*perFlush && s.left > 64 }

// stream returns the number of bits of the stream src[begin:end] (RFC 8878, 4.2.2),
// which the highest set bit ends, or -1 if there is none.
func stream(src []byte, begin, end int) int {
	if begin >= end || src[end-1] == 0 {
		return -1
	}
	return 8*(end-begin) - bits.LeadingZeros8(src[end-1]) - 1
}

// decodeOnes and decodeTwos decode four streams without bounds checks, until the rest of
// one of them is too short. They are nil on machines without assembly.
var (
	decodeOnes func(one *[1 << maxCodeBits]uint16, streams *[4]byteStream, dst, src []byte, shift uint)
	decodeTwos func(two *[1 << maxCodeBits]uint32, streams *[4]byteStream, dst, src []byte)
)

// The table of pairs pays if there are at least manyPairs literals, with codes so short
// on average that an entry often holds two.
const (
	manyPairs  = 4 << 10
	shortCodes = 6 // average bits of a code
)

// finish decodes the rest of a stream byte by byte, and reports whether its bits
// end with its bytes.
func (h *huffmanDecoder) finish(s *byteStream, dst, src []byte) bool {
	shift := (64 - h.log) & 63
	out, left := s.out, s.left
	for out < s.end {
		if left < 0 {
			return false
		}
		w := word(src, s.begin, left)
		for k := min(perFlush, s.end-out); k > 0; k-- {
			e := h.one[w>>shift&(1<<maxCodeBits-1)]
			w <<= e & 15
			left -= int(e & 15)
			dst[out] = byte(e >> 8)
			out++
		}
	}
	s.out, s.left = out, left
	return left == 0
}

// word returns at least 57 bits of the stream src[begin:] whose first left bits are not
// decoded yet, the last of these in the highest bit. Bits before the beginning are
// undefined.
func word(src []byte, begin, left int) uint64 {
	return mem.Load64(src, begin+(left+7)>>3-8) << (-left & 7)
}

// read returns the next n bits of s, at most 57.
func (s *byteStream) read(src []byte, n uint) uint64 {
	w := word(src, s.begin, s.left)
	s.left -= int(n)
	return w >> 1 >> ((63 - n) & 63)
}
