package zstd

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/bitio"
	huff "github.com/seed03b80dae/blosc2/codecs/internal/huffman"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// maxCodeBits is the length of the longest Huffman code that literals may have
// (RFC 8878, 4.2.1).
const maxCodeBits = 11

// A huffman codes the literals of a block with a code made for the block.
type huffman struct {
	counts [4][256]uint32 // counts of each byte value; their sums are in the first table
	// For each byte this holds the code in the highest bits and its length in the
	// lowest bits. The bits between are 0.
	table   [256]uint64
	length  [256]uint8 // length of each code in bits; 0 for bytes that do not occur
	last    int        // the highest byte that occurs
	most    uint8      // length of the longest code
	builder huff.Builder
	symbols [256]uint16 // the symbols that occur
	weight  fseTable
	streams [4]codeStream
}

// count makes the histogram of b and returns its largest count.
func (h *huffman) count(b []byte) (largest int) {
	clear(h.counts[:])
	h.add(b)
	largest, _ = h.sum()
	return largest
}

// These are for estimated counts: the length of the literals from which they are made, the
// length of the pieces that are counted, that of the parts of the literals with one piece
// each, the number of places in a part where a piece can begin, and the largest number of
// byte values that may be missing from the pieces.
const (
	estimateMin = 30 << 10
	countPiece  = 32
	leastPart   = 4 * countPiece
	mostPart    = 8 * countPiece
	countPlaces = (leastPart-countPiece)/8 + 1
	mostUnseen  = 16
)

// estimate is like count, but counts only pieces of b, a quarter to an eighth of it, and
// returns also the number of bytes that it counted. That is 0 if the values are about equally
// frequent. Values that do not occur in the pieces count as one; if many do not, estimate
// counts all of b, because codes for them would make the other codes longer. b has at least
// estimateMin bytes.
//
// Counting takes as long as coding. The code makes the literals 0.1 to 0.3 % longer.
func (h *huffman) estimate(b []byte) (largest, counted int) {
	clear(h.counts[:])
	part := min(max(len(b)/(16<<10)*countPiece, leastPart), mostPart)
	parts := len(b) / part
	rounds := parts * countPiece / sampled
	for round := range rounds {
		for i := round; i < parts; i += rounds {
			h.add(b[i*part+i*7%countPlaces*8:][:countPiece]) // at another place in each part, because data have rows
			counted += countPiece
		}
		if round == 0 && h.even(counted) {
			return 0, 0
		}
	}
	largest, unseen := h.sum()
	if unseen > mostUnseen {
		return h.count(b), len(b)
	}
	for s, n := range &h.counts[0] {
		h.counts[0][s] = max(n, 1)
	}
	h.last = len(h.counts[0]) - 1
	return largest, counted + unseen
}

// even reports whether the n values that were counted are about equally frequent.
func (h *huffman) even(n int) bool {
	pairs := 0
	for s, c := range &h.counts[0] {
		c += h.counts[1][s] + h.counts[2][s] + h.counts[3][s]
		pairs += int(c) * (int(c) - 1)
	}
	return evenPairs(pairs, n, 11)
}

// add counts the bytes of b. It uses four tables in turn, because in a single one equal
// bytes in a run would wait for each other.
func (h *huffman) add(b []byte) {
	c0, c1, c2, c3 := &h.counts[0], &h.counts[1], &h.counts[2], &h.counts[3]
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := mem.Load64(b, i)
		c0[uint8(w)]++
		c1[uint8(w>>8)]++
		c2[uint8(w>>16)]++
		c3[uint8(w>>24)]++
		c0[uint8(w>>32)]++
		c1[uint8(w>>40)]++
		c2[uint8(w>>48)]++
		c3[uint8(w>>56)]++
	}
	for _, v := range b[i:] {
		c0[v]++
	}
}

// sum adds the tables up. It returns the largest count, and how many byte values do not
// occur.
func (h *huffman) sum() (largest, unseen int) {
	c0, c1, c2, c3 := &h.counts[0], &h.counts[1], &h.counts[2], &h.counts[3]
	h.last = 0
	for s := range c0 {
		n := c0[s] + c1[s] + c2[s] + c3[s]
		c0[s] = n
		if n > 0 {
			h.last = s
			largest = max(largest, int(n))
		} else {
			unseen++
		}
	}
	return largest, unseen
}

// build assigns a code length of at most limit bits to each byte value that was
// counted, and returns the total number of bits. At least two values must have been
// counted.
func (h *huffman) build(limit int) (total int) {
	var number [maxCodeBits + 1]uint16 // number of codes of each length
	_, total = h.builder.Lengths(h.length[:], number[:limit+1], h.symbols[:], h.counts[0][:h.last+1])
	h.most = uint8(limit)
	for number[h.most] == 0 {
		h.most--
	}
	// The longest codes are the lowest, and codes of the same length are in the order of
	// the bytes (RFC 8878, 4.2.1.3).
	var next [32]uint64
	code := 0
	for l := int(h.most); l > 0; l-- {
		next[l] = uint64(code)
		code = (code + int(number[l])) >> 1
	}
	for s, l := range h.length[:h.last+1] {
		h.table[s] = 0
		if l > 0 {
			h.table[s] = next[l&31]<<(64-l) | uint64(l)
			next[l&31]++
		}
	}
	return total
}

// appendTable appends a Huffman_Tree_Description (RFC 8878, 4.2.1): the weights of
// all bytes but the last, coded by FSE or in four bits each. It returns nil if
// neither is possible.
func (h *huffman) appendTable(dst []byte) []byte {
	var weights [256]uint8
	var counts [maxCodeBits + 2]uint32
	n, largest := h.last, uint32(0)
	for s, l := range h.length[:n] {
		w := uint8(0)
		if l > 0 {
			w = h.most + 1 - l
		}
		weights[s] = w
		counts[w]++
		largest = max(largest, counts[w])
	}
	at := len(dst)
	if n > 2 && int(largest) < n {
		dst = h.appendWeights(append(dst, 0), weights[:n], counts[:h.most+1])
		if size := len(dst) - at - 1; size < 128 && (n > 128 || size < n/2) {
			dst[at] = byte(size)
			return dst
		}
		dst = dst[:at]
	}
	if n > 128 {
		return nil
	}
	dst = append(dst, byte(127+n))
	for i := 0; i < n; i += 2 {
		dst = append(dst, weights[i]<<4|weights[i+1])
	}
	return dst
}

// appendWeights codes weights with two alternating states (RFC 8878, 4.2.1.2).
func (h *huffman) appendWeights(dst []byte, weights []uint8, counts []uint32) []byte {
	var space [maxCodeBits + 2]int16
	log := uint(min(max(bits.Len(uint(len(weights)-1))-2, 5), 6))
	norm := space[:len(counts)]
	for norm[len(norm)-1] == 0 && counts[len(norm)-1] == 0 {
		norm = norm[:len(norm)-1]
	}
	normalize(norm, counts[:len(norm)], len(weights), log)
	dst = appendCounts(dst, norm, log)
	t := &h.weight
	t.build(norm, log)
	dst = grown(dst, len(weights)+8)
	b := bitio.Writer{Out: dst[:cap(dst)], At: len(dst)}
	n := len(weights)
	var states [2]uint32
	states[(n-1)&1] = t.first(weights[n-1])
	states[n&1] = t.first(weights[n-2])
	for i := n - 3; i >= 0; i-- {
		states[i&1] = t.next(&b, states[i&1], weights[i])
		b.Flush()
	}
	b.Add(low(states[1], t.log), t.log)
	b.Add(low(states[0], t.log), t.log)
	return dst[:endMark(&b)]
}
