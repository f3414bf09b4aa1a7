package zstd

import (
	"math/bits"

	huff "github.com/seed03b80dae/blosc2/codecs/internal/huffman"
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// prices holds the costs of the parts of sequences, in 256ths of a bit.
type prices struct {
	literal [256]uint32
	length  [longEnough + 1]uint32 // of a match of that length
	codes   [3][maxSymbols]uint32  // with the bits of their values
	runs    [64]uint32             // of the given number of literals
	more    [64]uint32             // how much one more literal adds
	codec   codes
}

// set computes prices from the sequences of a block.
func (p *prices) set(block []byte, seqs []lz77.Seq) {
	var counts [256]uint32
	at := 0
	for _, s := range seqs {
		for _, v := range block[at : at+int(s.Literals)] {
			counts[v]++
		}
		at += int(s.Literals + s.Length)
	}
	for _, v := range block[at:] {
		counts[v]++
	}
	total := uint32(0)
	for i, c := range counts {
		counts[i] = 8*c + 1 // symbols that did not occur may occur
		total += counts[i]
	}
	for i, c := range counts {
		// A Huffman code has one bit at least.
		p.literal[i] = min(max(log2x256(total)-log2x256(c), 256), maxCodeBits*256)
	}
	p.codec.set(seqs)
	p.codec.assume()
	for i, k := range [3]*kind{&literalLengths, &offsets, &matchLengths} {
		total := uint32(0)
		for _, c := range p.codec.counts[i][:k.symbols] {
			total += 8*c + 1
		}
		for s, c := range p.codec.counts[i][:k.symbols] {
			p.codes[i][s] = log2x256(total) - log2x256(8*c+1) + uint32(k.values[s].extra())*256
		}
	}
	for n := range p.runs {
		p.runs[n] = p.codes[literalLength][literalCode(uint32(n))]
	}
	for n := range p.more {
		p.more[n] = p.run(uint32(n)+1) - p.run(uint32(n))
	}
	for n := leastMatch; n < len(p.length); n++ {
		p.length[n] = p.codes[matchLength][matchCode(uint32(n-3))]
	}
}

// assume adds to the counts what the sequences of a first search cannot show. Symbols
// whose price is too high are never chosen, so that their price remains.
func (c *codes) assume() {
	lengths, literals := &c.counts[matchLength], &c.counts[literalLength]
	if lengths[0] == 0 { // a search for four bytes finds none of three
		lengths[0] = lengths[1]
	}
	if len(c.packed) == 0 { // short matches after few literals are usual
		for i := range 16 {
			lengths[i], literals[i] = 64>>(i/2), 64>>(i/4)
		}
	}
}

// run returns the price of the number of literals before a match.
func (p *prices) run(n uint32) uint32 {
	if n < uint32(len(p.runs)) {
		return p.runs[n]
	}
	return p.codes[literalLength][literalCode(n)]
}

// one returns the price of a literal that follows n others.
func (p *prices) one(v byte, n uint32) uint32 {
	if n < uint32(len(p.more)) {
		return p.literal[v] + p.more[n]
	}
	return p.literal[v] + p.run(n+1) - p.run(n)
}

// off returns the price of a distance.
func (p *prices) off(off uint32) uint32 { return p.codes[offset][bits.Len32(off)-1] }

// log2x256 returns the logarithm of n > 0 in 256ths, rounded down.
func log2x256(n uint32) uint32 { return huff.Log2(n, 8) }
