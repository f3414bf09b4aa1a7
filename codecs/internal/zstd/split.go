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
// of the bytes. A part with few sequences is cut in the middle of its bytes, for the sake
// of its literals, as long as each side has leastBytes.
const (
	leastSequences = 32
	leastBytes     = 4 << 10
	symbolCost     = 5 // bits that a symbol takes in the description of a table
)

// split appends the parts into which a block of the given bits is cut, where each cut
// saves more bits than it costs.
func (e *Encoder) split(parts []part, src []byte, p part, bits, cost uint64) []part {
	if len(p.seqs) < 2*leastSequences {
		return e.splitLiterals(parts, src, p, bits, cost)
	}
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

// splitLiterals is split for a part with few sequences.
func (e *Encoder) splitLiterals(parts []part, src []byte, p part, bits, cost uint64) []part {
	a, b := p.halve()
	if min(a.to-a.from, b.to-b.from) >= leastBytes {
		first, second := e.bits(src, a), e.bits(src, b)
		if first+second+cost < bits {
			return e.split(e.split(parts, src, a, first, cost), src, b, second, cost)
		}
	}
	a.join(b)
	return append(parts, p)
}

// halve cuts a part near the middle of its bytes, after a sequence or in its literals. One
// literal at least remains, because without any a repeated distance has another code (RFC
// 8878, 3.1.1.5). The sequences of b are those of p, of which the first is changed, and
// join restores it.
func (p part) halve() (a, b part) {
	half, at, n := (p.from+p.to)/2, p.from, 0
	for ; n < len(p.seqs); n++ {
		s := &p.seqs[n]
		if end := at + int(s.Literals+s.Length); end > half {
			moved := max(min(half-at, int(s.Literals)-1), 0)
			s.Literals -= uint32(moved)
			half = at + moved
			break
		}
		at += int(s.Literals + s.Length)
	}
	return part{p.seqs[:n], p.from, half}, part{p.seqs[n:], half, p.to}
}

// join undoes halve.
func (a part) join(b part) {
	if len(b.seqs) == 0 {
		return
	}
	b.seqs[0].Literals += a.last()
}

// last returns the number of literals after the last sequence.
func (p part) last() uint32 {
	at := p.from
	for _, s := range p.seqs {
		at += int(s.Literals + s.Length)
	}
	return uint32(p.to - at)
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
