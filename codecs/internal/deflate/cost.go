package deflate

import "github.com/seed03b80dae/blosc2/codecs/internal/mem"

// count counts the symbols of a block's sequences.
func (b *block) count(src []byte, seqs []seq) {
	h := &b.literals
	ip := b.from
	for i := range seqs {
		s := &seqs[i]
		n := int(s.literals)
		for ; n >= 8; n -= 8 {
			w := mem.Load64(src, ip)
			h[w&255]++
			h[w>>8&255]++
			h[w>>16&255]++
			h[w>>24&255]++
			h[w>>32&255]++
			h[w>>40&255]++
			h[w>>48&255]++
			h[w>>56]++
			ip += 8
		}
		if n >= 4 {
			w := mem.Load32(src, ip)
			h[w&255]++
			h[w>>8&255]++
			h[w>>16&255]++
			h[w>>24]++
			ip += 4
			n -= 4
		}
		if len(src)-ip >= 4 {
			// All three bytes are counted with a weight that may be 0, because a branch
			// on whether to count them would be mispredicted too often.
			w := mem.Load32(src, ip)
			h[w&255] += uint32(n+3) >> 2
			h[w>>8&255] += uint32(n) >> 1
			h[w>>16&255] += uint32(n+1) >> 2
			ip += n
		} else {
			for range n {
				h[src[ip]]++
				ip++
			}
		}
		if s.length > 0 {
			ip += int(s.length)
			h[(firstLength+int(lengthSymbols[s.length]))%numLiterals]++
			b.distances[s.symbol]++
		}
	}
}

// cost estimates the number of bits of a block of these symbols, without the extra
// bits.
func (c *counts) cost() int {
	// These are the estimated costs of a block's header and of each symbol in it.
	const header, each = 100 * costUnit, 5 * costUnit / 2
	literals, used := entropy(c.literals[:])
	distances, more := entropy(c.distances[:])
	return (header + literals + distances + (used+more)*each) / costUnit
}

// entropy returns the cost of symbols with the given frequencies, in costUnits, and
// how many symbols occur.
func entropy(counts []uint32) (cost, used int) {
	sum, total, differ := 0, uint32(0), uint32(0)
	for _, n := range counts {
		if n < uint32(len(logs)-1) {
			sum += int(logs[n])
		} else {
			sum += nlogn(n)
		}
		total += n
		differ += (n | -n) >> 31
	}
	return nlogn(total) - sum, int(differ)
}

// noiseCost is the estimated cost of a literal in a piece that is nearly noise: in
// so small a sample the 256 values are not equally frequent.
const noiseCost = 62

// sampled is the approximate number of bytes of a piece that literalCost examines.
const sampled = 1 << 10

// literalCost estimates the cost of a literal of b, in eighths of a bit, from the bytes
// that differ from the previous one: the other bytes will be in runs. It is never so low
// that a plane of few values would be coded with literals only.
func literalCost(b []byte) int {
	const highest, lowest = 8 * 8, 2 * 8
	var counts [2][256]uint32 // used alternately, so that an addition need not wait for the previous one
	total := 0
	step := max(len(b)/sampled, 1)*8 + 1 // odd, so that the words are not from the same columns of a table
	for i := 1; i+8 <= len(b); i += step {
		w := mem.Load64(b, i)
		x := w ^ mem.Load64(b, i-1)
		if x == 0 {
			continue
		}
		for j := range uint(8) {
			differs := uint32(1)
			if x>>(8*j)&255 == 0 {
				differs = 0
			}
			counts[j&1][w>>(8*j)&255] += differs
			total += int(differs)
		}
	}
	if total == 0 {
		return highest
	}
	sum := nlogn(uint32(total))
	for i, n := range &counts[0] {
		sum -= nlogn(n + counts[1][i])
	}
	return max(sum*8/costUnit/total, lowest)
}

// costUnit is a bit, where logarithms are involved.
const costUnit = 16

// nlogn returns n·log2(n).
func nlogn(n uint32) int {
	if n < uint32(len(logs)-1) {
		return int(logs[n])
	}
	shift := uint(0)
	for n>>shift >= uint32(len(logs)-1) {
		shift++
	}
	m := n >> shift
	between := int(logs[m+1]-logs[m]) * int(n-m<<shift)
	return int(logs[m])<<shift + between + int(n)*costUnit*int(shift)
}
