package zstd

import (
	"encoding/binary"
	"slices"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// gather returns the bytes that no match covers.
func (e *Encoder) gather(block []byte, seqs []lz77.Seq) []byte {
	if len(seqs) == 0 {
		return block
	}
	if e.literals == nil {
		e.literals = make([]byte, maxBlock+16)
	}
	lits, safe := e.literals, len(block)-16
	n, at := 0, 0
	for i := range seqs {
		k := int(seqs[i].Literals)
		if k <= 16 && at <= safe {
			mem.Copy16(lits, n, block, at)
		} else {
			copy(lits[n:], block[at:at+k])
		}
		n += k
		at += k + int(seqs[i].Length)
	}
	n += copy(lits[n:], block[at:])
	return lits[:n]
}

// appendLiterals codes the bytes that no match covers.
func (e *Encoder) appendLiterals(dst, block []byte, seqs []lz77.Seq) []byte {
	lits := e.gather(block, seqs)
	n := len(lits)
	dst = e.grow(dst, longestSection(n))
	e.literal = 8 << 8
	if n < minLiterals || e.plain && 5*n <= len(block) {
		return append(literalsHeader(dst, raw, n), lits...)
	}
	h := &e.huffman
	largest, counted := 0, 0
	switch {
	case e.rough && n >= estimateMin:
		largest, counted = h.estimate(lits)
	case !flat(lits):
		largest, counted = h.count(lits), n
	}
	if largest == n {
		return append(literalsHeader(dst, rle, n), lits[0])
	}
	if largest <= counted>>7+4 {
		return append(literalsHeader(dst, raw, n), lits...)
	}
	total := int(int64(h.build(maxCodeBits)) * int64(n) / int64(counted))
	at := len(dst)
	const header = 5
	single := n < 1<<8
	table := h.appendTable(append(dst, make([]byte, header)...))
	if table == nil || len(table)-at-header+total/8 >= n-n>>6-2 {
		return append(literalsHeader(dst, raw, n), lits...)
	}
	dst = table
	e.literal = total << 8 / n
	if single {
		dst = h.appendStream(dst, lits)
	} else {
		dst = h.appendStreams(dst, lits)
	}
	coded := len(dst) - at - header
	if coded >= n { // total was an estimate
		return append(literalsHeader(dst[:at], raw, n), lits...)
	}
	// Literals_Section_Header (RFC 8878, 3.1.1.3.1.1): type, format of the
	// sizes, both sizes.
	format := 0
	if !single {
		format = 1
	}
	for max(n, coded) >= 1<<sizeBits[format] {
		format++
	}
	width := sizeBits[format]
	head, size := compressed|uint64(format)<<2|uint64(n)<<4|uint64(coded)<<(4+width), int(4+2*width)/8
	dst = slices.Delete(dst, at+size, at+header)
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], head)
	copy(dst[at:at+size], b[:])
	return dst
}

// longestSection returns the space that n literals take with the table of their code.
func longestSection(n int) int { return 512 + 4*longest((n+3)/4) }

// If there are many literals, a sample shows whether a code can make them shorter
// at all.
const (
	samplePieces = 16
	samplePiece  = 256
	sampled      = samplePieces * samplePiece
)

// flat reports whether all byte values are about equally frequent: then a code cannot make
// literals shorter.
func flat(b []byte) bool { return even(b, 11) }

// even reports whether byte values are about equally frequent. It compares the number of
// equal pairs of bytes in a sample with the number expected of random bytes, which it must
// exceed by less than most tenths: a code saves fewer bits per byte than the logarithm of
// that ratio. For a small sample this is more reliable than the largest count.
func even(b []byte, most int) bool {
	if len(b) < 4*sampled {
		return false
	}
	var counts [256]uint16
	step := (len(b) - samplePiece) / (samplePieces - 1)
	for i := range samplePieces {
		for _, v := range b[i*step:][:samplePiece] {
			counts[v]++
		}
	}
	pairs := 0
	for _, c := range counts {
		pairs += int(c) * (int(c) - 1)
	}
	return evenPairs(pairs, sampled, most)
}

// evenPairs reports whether a sample of n bytes has about as few pairs of equal bytes as
// random bytes have.
func evenPairs(pairs, n, most int) bool {
	random := n * (n - 1) / 256
	return pairs < random*most/10
}

// literalCost estimates the entropy of the bytes of b, in 256ths of a bit for each, from a
// sample of at most limit of them, which is an index of log2. The distances between these are
// irregular, because many data are periodic, such as the rows of a picture.
func literalCost(b []byte, limit int) int {
	n, step := len(b), 1
	if n > limit {
		n, step = limit, n/limit
	}
	if n == 0 {
		return 0
	}
	var counts [256]uint16
	sum, distinct := uint32(0), 0
	for i := range n {
		within := uint64(uint32(i)*2654435761) * uint64(step) >> 32
		c := &counts[b[i*step+int(within)]]
		k := uint32(*c)
		if k == 0 {
			distinct++
		}
		sum += (k+1)*log2[k+1] - k*log2[k] // summing here is faster than over all counts
		*c++
	}
	// A small sample has fewer values than all bytes, and its entropy is (distinct-1)/2n nats
	// less: Miller, Note on the bias of information estimates, 1955.
	const halfNat = 185 // a nat is 1.44 bits
	return int(log2[n]-sum/uint32(n)) + (distinct-1)*halfNat/n
}

const (
	leastJudged = 4 << 10 // of shorter streams, the samples of keyLength are too small
	sampleShare = 64      // keyLength examines one byte in as many
	mostSamples = 128     // and no more than this of each part
)

var _ = [...]uint32{log2[mostSamples], log2[sampleSize]} // samples of literalCost are no larger than log2

// keyLength returns the length of the keys of rows, and so of the shortest matches, in planes:
// where bytes differ little, short matches cost more than their bytes do as literals. A stream
// may consist of several planes, so its parts are weighted by what their bytes cost.
func keyLength(src []byte) int {
	if len(src) < leastJudged {
		return lz77.MinMatch
	}
	const parts = 4
	n := len(src) / parts
	limit := min(n/sampleShare, mostSamples)
	sum, squares := 0, 0
	for i := range parts {
		cost := literalCost(src[i*n:][:n], limit)
		sum += cost
		squares += cost * cost
	}
	return min(max(matchCost*256*sum/max(squares, 1), lz77.MinMatch), 8)
}

// sizeBits is the width of both sizes of coded literals in each format (RFC 8878,
// 3.1.1.3.1.1). The first format has one stream, the others have four.
var sizeBits = [4]uint{10, 10, 14, 18}

// literalsHeader appends the header of raw literals or of a run (RFC 8878,
// 3.1.1.3.1.1).
func literalsHeader(dst []byte, kind byte, n int) []byte {
	switch {
	case n < 1<<5:
		return append(dst, kind|byte(n)<<3)
	case n < 1<<12:
		return append(dst, kind|1<<2|byte(n)<<4, byte(n>>4))
	default:
		return append(dst, kind|3<<2|byte(n)<<4, byte(n>>4), byte(n>>12))
	}
}
