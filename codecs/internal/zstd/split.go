package zstd

import "github.com/seed03b80dae/blosc2/codecs/internal/lz77"

// A part is a range of a block's sequences and the bytes that they cover; the last
// part extends to the end of the block.
type part struct {
	seqs     []lz77.Seq
	from, to int
}

// A block is cut in two as long as that saves enough, because each side has its own
// tables, and as long as each side has leastSequences. Cuts are tried in the middle of
// the bytes and in the middle of the sequences, because sequences may be dense in a few
// of the bytes.
const (
	leastSequences = 32
	symbolCost     = 5 // bits that a symbol takes in the description of a table
)

// split appends the parts into which a block of the given bits is cut, where each cut
// saves more bits than it costs.
func (e *Encoder) split(parts []part, src []byte, p part, bits, cost uint64) []part {
	least, at := bits, 0
	var ofA, ofB uint64
	for _, i := range [...]int{p.middle(), len(p.seqs) / 2} {
		if min(i, len(p.seqs)-i) < leastSequences {
			continue
		}
		a, b := p.cut(i)
		first, second := e.bits(src, a), e.bits(src, b)
		if sum := first + second + cost; sum < least {
			least, at, ofA, ofB = sum, i, first, second
		}
	}
	if at == 0 {
		return append(parts, p)
	}
	a, b := p.cut(at)
	return e.split(e.split(parts, src, a, ofA, cost), src, b, ofB, cost)
}

// middle returns the number of sequences in the first half of the bytes.
func (p part) middle() int {
	at := p.from
	for i, s := range p.seqs {
		if at >= (p.from+p.to)/2 {
			return i
		}
		at += int(s.Literals + s.Length)
	}
	return len(p.seqs)
}

// cut cuts a part after its first n sequences.
func (p part) cut(n int) (a, b part) {
	at := p.from
	for _, s := range p.seqs[:n] {
		at += int(s.Literals + s.Length)
	}
	return part{p.seqs[:n], p.from, at}, part{p.seqs[n:], at, p.to}
}

// bits estimates the number of bits that a part takes.
func (e *Encoder) bits(src []byte, p part) uint64 {
	lits := e.gather(src[p.from:p.to], p.seqs)
	e.huffman.count(lits)
	sum := min(entropy(e.huffman.counts[0][:]), uint64(len(lits))*8)
	c := &e.codes
	c.set(p.seqs)
	for i, k := range kinds {
		counts := c.counts[i][:k.symbols]
		sum += entropy(counts)
		for s, n := range counts {
			sum += uint64(n) * uint64(k.values[s].extra())
		}
	}
	return sum
}

// entropy returns how many bits symbols take with their own table, including its
// description.
func entropy(counts []uint32) uint64 {
	bits, all := uint64(0), log2x256(max(sum(counts), 1))
	for _, n := range counts {
		if n > 0 {
			bits += uint64(n)*uint64(all-logOf(n)) + symbolCost*256
		}
	}
	return bits / 256
}
