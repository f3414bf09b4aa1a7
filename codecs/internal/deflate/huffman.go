package deflate

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/huffman"
)

// maxBits is the length of the longest code. It is one less than allowed (RFC 1951,
// 3.2.7): four literals and an incomplete byte then fit in a word.
const maxBits = 14

// A code is a Huffman code and the statistics from which it is built.
type code struct {
	used    int                 // number of symbols that occur
	symbols [numLiterals]uint16 // the symbols that occur, in ascending order
	lengths [numLiterals]uint8  // bits of each symbol, 0 if it does not occur
	count   [maxBits + 1]uint16 // number of symbols with each number of bits
	size    int                 // bits that all occurrences take
	codes   [numLiterals]uint32 // codes of the symbols that occur, as code<<8 | bits; the first bit of a code is the lowest
}

// build sets everything except the codes from these frequencies. No symbol gets
// more bits than limit.
func (c *code) build(b *huffman.Builder, freq []uint32, limit int) {
	clear(c.count[:])
	c.used, c.size = b.Lengths(c.lengths[:], c.count[:limit+1], c.symbols[:], freq)
}

// assign sets the codes (RFC 1951, 3.2.2).
func (c *code) assign() {
	var next [16]uint32
	sum := uint32(0)
	for l, n := range &c.count {
		next[l] = sum
		sum = (sum + uint32(n)) << 1
	}
	for _, s := range c.symbols[:c.used] {
		l := c.lengths[s] & 15
		v := next[l]
		next[l] = v + 1
		c.codes[s] = uint32(bits.Reverse16(uint16(v))>>(16-l))<<8 | uint32(l)
	}
}

// end returns the index after the last symbol that occurs.
func (c *code) end() int {
	if c.used == 0 {
		return 0
	}
	return int(c.symbols[c.used-1]) + 1
}
