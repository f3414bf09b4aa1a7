package zstd

import "github.com/seed03b80dae/blosc2/codecs/internal/lz77"

// A part is a range of a block's sequences and the bytes that they cover; the last
// part extends to the end of the block.
type part struct {
	seqs     []lz77.Seq
	from, to int
}

// A block is cut in two as long as that makes it smaller, because both sides have
// their own tables, and neither side is shorter than this.
const (
	leastPart      = 4 << 10
	leastSequences = 32
	blockCost      = 12 * 8 // bits of headers
	symbolCost     = 5      // bits that the description of a table takes for a symbol
)

// split appends the parts into which a block is cut.
func (e *Encoder) split(parts []part, src []byte, p part) []part {
	if a, b, ok := p.halves(); ok && e.bits(src, a)+e.bits(src, b) < e.bits(src, p) {
		return e.split(e.split(parts, src, a), src, b)
	}
	return append(parts, p)
}

// halves cuts a part after the match nearest to the middle.
func (p part) halves() (a, b part, ok bool) {
	middle, at := (p.from+p.to)/2, p.from
	for i, s := range p.seqs {
		if at >= middle {
			a, b = part{p.seqs[:i], p.from, at}, part{p.seqs[i:], at, p.to}
			return a, b, min(at-p.from, p.to-at) >= leastPart && min(i, len(p.seqs)-i) >= leastSequences
		}
		at += int(s.Literals + s.Length)
	}
	return p, p, false
}

// bits estimates the number of bits that a part takes.
func (e *Encoder) bits(src []byte, p part) uint64 {
	lits := e.gather(src[p.from:p.to], p.seqs)
	e.huffman.count(lits)
	sum := min(entropy(e.huffman.counts[0][:]), uint64(len(lits))*8)
	c := &e.codes
	c.set(p.seqs)
	for i, k := range [3]*kind{&literalLengths, &offsets, &matchLengths} {
		counts := c.counts[i][:k.symbols]
		sum += entropy(counts)
		for s, n := range counts {
			sum += uint64(n) * uint64(k.values[s].extra())
		}
	}
	return sum + blockCost
}

// entropy returns how many bits symbols take with their own table, including its
// description.
func entropy(counts []uint32) uint64 {
	total := uint32(0)
	for _, n := range counts {
		total += n
	}
	if total == 0 {
		return 0
	}
	sum, all := uint64(0), log2x256(total)
	for _, n := range counts {
		if n > 0 {
			sum += uint64(n)*uint64(all-log2x256(n)) + symbolCost*256
		}
	}
	return sum / 256
}
