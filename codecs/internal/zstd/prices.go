package zstd

import (
	"math/bits"

	huff "github.com/seed03b80dae/blosc2/codecs/internal/huffman"
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// prices holds the costs of the parts of sequences, in 256ths of a bit, and the counts
// that they come from.
type prices struct {
	literal [256]uint32
	length  [longEnough + 1]uint32 // price of a match of that length
	codes   [3][maxSymbols]uint32  // prices of codes, including their extra bits
	runs    [64]uint32             // price of the number of literals before a match
	more    [64]uint32             // how much one more literal adds to that price

	literals [256]uint32
	counts   [3][maxSymbols]uint32
}

// A symbol that occurred counts countUnit, and any other counts 1. Otherwise the price of
// a symbol that did not occur would be so high that it would never be chosen, and would
// remain so.
const countUnit = 8

// forget sets all counts to those of symbols that did not occur.
func (p *prices) forget() {
	for i := range p.literals {
		p.literals[i] = 1
	}
	for i := range p.counts {
		for s := range p.counts[i] {
			p.counts[i][s] = 1
		}
	}
}

// guess sets prices for the first block of an input, of which only the counts of the
// literals are known. It assumes that most matches are short and follow few literals.
func (p *prices) guess(bytes *[256]uint32) {
	const total = 256 // approximate total count, which the first learnt sequences soon exceed
	p.forget()
	n := max(int(sum(bytes[:])), 1)
	for v, c := range bytes {
		p.literals[v] += uint32(countUnit * total * int(c) / n)
	}
	lengths, literals := &p.counts[matchLength], &p.counts[literalLength]
	for i := range 16 {
		lengths[i], literals[i] = countUnit*64>>(i/2), countUnit*64>>(i/4)
	}
	p.update()
}

// learn computes prices from the sequences of another search of the same block. The counts
// matter less than those of this search will.
func (p *prices) learn(block []byte, seqs []lz77.Seq) {
	p.set(block, seqs)
	p.age(surveyCount)
}

// age makes the counts of earlier blocks smaller, so that those of the next one matter.
func (p *prices) age(most uint32) {
	age(p.literals[:], most)
	for i := range p.counts {
		age(p.counts[i][:], most)
	}
	p.update()
}

// age divides counts by a power of two so that their sum is most or less.
func age(counts []uint32, most uint32) {
	shift := bits.Len32(sum(counts) / most)
	for i, c := range counts {
		counts[i] = max(c>>shift, 1)
	}
}

const (
	agedCount   = 512 * countUnit  // for the counts of earlier blocks
	surveyCount = 2048 * countUnit // for those of a survey
)

// set computes prices from all sequences of a block. If there is no match of three bytes,
// as from a search for four bytes, such matches are assumed to be as frequent as those of
// four.
func (p *prices) set(block []byte, seqs []lz77.Seq) {
	p.forget()
	for _, v := range block[p.add(block, seqs):] {
		p.literals[v] += countUnit
	}
	if lengths := &p.counts[matchLength]; lengths[0] == 1 {
		lengths[0] = lengths[1]
	}
	p.update()
}

// add counts sequences, which cover the beginning of block, and returns the number of
// bytes that they cover.
func (p *prices) add(block []byte, seqs []lz77.Seq) (at int) {
	for i := range seqs {
		s := &seqs[i]
		p.counts[literalLength][literalCode(s.Literals)] += countUnit
		p.counts[offset][bits.Len32(s.Off)-1] += countUnit
		p.counts[matchLength][matchCode(s.Length-3)] += countUnit
		for _, v := range block[at : at+int(s.Literals)] {
			p.literals[v] += countUnit
		}
		at += int(s.Literals + s.Length)
	}
	return at
}

// sum returns the sum of counts.
func sum(counts []uint32) (total uint32) {
	for _, n := range counts {
		total += n
	}
	return total
}

// update computes prices from the counts.
func (p *prices) update() {
	all := log2x256(sum(p.literals[:]))
	for v, c := range p.literals {
		// A Huffman code has at least one bit.
		p.literal[v] = min(max(all-logOf(c), 256), maxCodeBits*256)
	}
	for i, k := range kinds {
		counts := p.counts[i][:k.symbols]
		all := log2x256(sum(counts))
		for s, c := range counts {
			// A code of a table with 1<<maxLog states has at most maxLog bits (RFC 8878, 4.1.1).
			// Without the limit, a code that did not occur would seem to cost twice as much,
			// would not be chosen, and would not occur.
			p.codes[i][s] = min(all-logOf(c), uint32(k.maxLog)*256) + uint32(k.values[s].extra())*256
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

// off returns the price of a distance with the given Off.
func (p *prices) off(off uint32) uint32 { return p.codes[offset][bits.Len32(off)-1] }

// log2x256 returns the logarithm of n > 0 in 256ths, rounded down, and logOf looks it up
// if n is small.
func log2x256(n uint32) uint32 { return huff.Log2(n, 8) }

func logOf(n uint32) uint32 {
	if n < uint32(len(log2)) {
		return log2[n]
	}
	return log2x256(n)
}
