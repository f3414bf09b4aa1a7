package deflate

import (
	"math/bits"
	"slices"
)

// maxBits is the longest code that is made. It is one less than allowed: four
// literals and what is left of a byte then fit into a word.
const maxBits = 14

// A code is a Huffman code.
type code struct {
	used    int                 // how many symbols occur
	symbols [numLiterals]uint16 // these, in ascending order
	lengths [numLiterals]uint8  // bits of each symbol, 0 where it does not occur
	count   [maxBits + 1]uint16 // how many symbols have so many bits
	size    int                 // bits that all occurrences take
	codes   [numLiterals]uint32 // of what occurs, as code<<8 | bits, the code's first bit the lowest
}

// A builder finds the lengths of codes.
//
// How frequencies compare is calculated with, not branched on: half of the
// branches would be guessed wrong.
type builder struct {
	keys, sorted [numLiterals]uint32 // frequency<<9 | symbol, of what occurs
	leaves       [numLiterals + 2]uint32
	nodes        [numLiterals + 2]uint32
	parents      [numLiterals + 2]uint16
}

// build sets all of a code of these frequencies but its codes. No symbol gets
// more bits than limit, and a single symbol gets one.
func (b *builder) build(c *code, freq []uint32, limit int) {
	clear(c.lengths[:])
	clear(c.count[:])
	n, largest := 0, uint32(0)
	for s, f := range freq {
		b.keys[n] = f<<9 | uint32(s)
		c.symbols[n] = uint16(s)
		n += int((f | -f) >> 31)
		largest = max(largest, f)
	}
	c.used, c.size = n, 0
	switch n {
	case 0:
		return
	case 1:
		c.lengths[c.symbols[0]], c.count[1], c.size = 1, 1, int(largest)
		return
	}
	keys := b.sort(n, largest)
	b.depths(c.count[:limit+1], keys)
	shorten(c.count[:limit+1], limit)
	for l := limit; l > 0; l-- {
		total := 0
		for _, k := range keys[:c.count[l]] {
			c.lengths[k&511] = uint8(l)
			total += int(k >> 9)
		}
		c.size += l * total
		keys = keys[c.count[l]:]
	}
}

// depths counts how many leaves of the tree are how deep. What is deeper than
// the last count is counted there.
func (b *builder) depths(count []uint16, keys []uint32) {
	const never = 1 << 30 // more than any frequency
	n := len(keys)
	leaves, nodes, parents := &b.leaves, &b.nodes, &b.parents
	for i, k := range keys {
		leaves[i] = k >> 9
	}
	leaves[n], leaves[n+1] = never, never
	nodes[0], nodes[1] = never, never
	// Each node has the two rarest of what is left: leaves, which go before
	// nodes that are as rare, and nodes, both in ascending order. A node that
	// is not taken will have another parent.
	leaf, root := 0, 0
	for next := range n - 1 {
		l0, l1, n0, n1 := leaves[leaf], leaves[leaf+1], nodes[root], nodes[root+1]
		parents[root], parents[root+1] = uint16(next), uint16(next)
		taken := int((n0-l1)>>31 + (n1-l0)>>31)
		root += taken
		leaf += 2 - taken
		nodes[next] = min(l0+l1, l0+n0, n0+n1)
		nodes[next+1], nodes[next+2] = never, never
	}
	depth := nodes[:n-1]
	depth[n-2] = 0
	for i := n - 3; i >= 0; i-- {
		depth[i] = depth[parents[i]] + 1
	}
	limit := len(count) - 1
	i, avail := n-2, 1
	for d := 0; avail > 0; d++ {
		inner := 0
		for i >= 0 && int(depth[i]) == d {
			inner++
			i--
		}
		count[min(d, limit)] += uint16(avail - inner)
		avail = 2 * inner
	}
}

// shorten makes a code complete again in which codes longer than limit were
// counted as of that length: each step makes a shorter one longer, as little as
// possible, and puts one of the longest beside it.
func shorten(count []uint16, limit int) {
	sum := 0
	for l := 1; l <= limit; l++ {
		sum += int(count[l]) << (limit - l)
	}
	for ; sum > 1<<limit; sum-- {
		l := limit - 1
		for count[l] == 0 {
			l--
		}
		count[l]--
		count[l+1] += 2
		count[limit]--
	}
}

// sort returns the first n keys in ascending order.
func (b *builder) sort(n int, largest uint32) []uint32 {
	keys := b.keys[:n]
	const few, top = 24, 255
	if n <= few {
		for i := 1; i < n; i++ {
			k, j := keys[i], i
			for ; j > 0 && keys[j-1] > k; j-- {
				keys[j] = keys[j-1]
			}
			keys[j] = k
		}
		return keys
	}
	// By frequencies, which are low as a rule; those above top are few.
	var at [top + 1]uint16
	for _, k := range keys {
		at[min(k>>9, top)]++
	}
	sum := uint16(0)
	for i, m := range at[:min(largest, top)+1] {
		at[i] = sum
		sum += m
	}
	frequent := at[top]
	for _, k := range keys {
		p := &at[min(k>>9, top)]
		b.sorted[*p] = k
		*p++
	}
	keys = b.sorted[:n]
	if largest > top {
		slices.Sort(keys[frequent:])
	}
	return keys
}

// assign sets the codes.
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

// end returns the place after the last symbol that occurs.
func (c *code) end() int {
	if c.used == 0 {
		return 0
	}
	return int(c.symbols[c.used-1]) + 1
}
