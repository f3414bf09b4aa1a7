// Package huffman finds the lengths of Huffman codes of a limited length, for
// deflate and for the literals of zstd.
package huffman

import (
	"math/bits"
	"slices"
)

// Log2 returns the logarithm of n > 0 in units of 1/2^digits, rounded down.
// Floating-point results might differ between machines, and so would the streams.
func Log2(n uint32, digits int) uint32 {
	k := uint32(bits.Len32(n) - 1)
	x := uint64(n) << (31 - k) // x is in [1<<31, 1<<32)
	for range digits {
		x = x * x >> 31
		k = k<<1 | uint32(x>>32)
		x >>= x >> 32
	}
	return k
}

// MaxSymbols is the size of the largest alphabet.
const MaxSymbols = 286

// A Builder finds the lengths of codes. The zero value is ready. It is for one
// goroutine at a time.
//
// It compares frequencies by arithmetic, without branches, half of which would be
// mispredicted.
type Builder struct {
	keys, sorted [MaxSymbols]uint32 // frequency<<symbolBits | symbol, of the symbols that occur
	begin        [256]uint32        // for the counting sort: the index where the keys with each digit begin
	leaves       [MaxSymbols + 2]uint32
	nodes        [MaxSymbols + 2]uint32
	parents      [MaxSymbols + 2]uint16

	// These are used by limit: the coins of a denomination; the packages of the previous
	// denomination, from index 1 on; and for each denomination the number of symbols
	// among the cheapest coins.
	coins, packages [2 * MaxSymbols]uint32
	cheapest        [maxLimit - 1][2*MaxSymbols + 1]uint16
}

const maxLimit = 15 // length of the longest code, that of deflate

const (
	symbolBits = 9
	symbolMask = 1<<symbolBits - 1
)

// Lengths sets lengths to the bits of each symbol, 0 for those that do not occur,
// and count to the number of symbols with each length: its last index is the limit.
// It writes the symbols that occur to symbols, in ascending order, and returns
// their number, and the total number of bits of all occurrences. A single symbol
// gets one bit. Frequencies are below 1<<23, and their sum below 1<<30.
func (b *Builder) Lengths(lengths []uint8, count, symbols []uint16, freq []uint32) (used, size int) {
	clear(lengths)
	clear(count)
	symbols = symbols[:len(freq)]
	n, largest := 0, uint32(0)
	for s, f := range freq {
		b.keys[n] = f<<symbolBits | uint32(s)
		symbols[n] = uint16(s)
		n += int((f | -f) >> 31)
		largest = max(largest, f)
	}
	switch n {
	case 0:
		return 0, 0
	case 1:
		lengths[symbols[0]], count[1] = 1, 1
		return 1, int(largest)
	}
	keys := b.sort(n, largest)
	limit := len(count) - 1
	if b.depths(count, keys) > limit {
		b.limit(count, n)
	}
	for l := limit; l > 0; l-- {
		total := 0
		for _, k := range keys[:count[l]] {
			lengths[k&symbolMask] = uint8(l)
			total += int(k >> symbolBits)
		}
		size += l * total
		keys = keys[count[l]:]
	}
	return n, size
}

// sort returns the first n keys in ascending order of frequency.
func (b *Builder) sort(n int, largest uint32) []uint32 {
	keys, to := b.keys[:n], b.sorted[:n]
	const few = 24
	if n <= few {
		slices.Sort(keys)
		return keys
	}
	// The symbols are already in order; sort by the digits of the frequencies. All digits
	// have about as many bits: if the upper one had one or two, most keys would have the
	// same, and each wait for the one before to count.
	width := bits.Len32(largest)
	digits := (width + 7) / 8
	width = (width + digits - 1) / digits
	mask := uint32(1)<<width - 1
	for shift := symbolBits; digits > 0; shift, digits = shift+width, digits-1 {
		begin := b.begin[:mask+1]
		clear(begin)
		for _, k := range keys {
			begin[k>>shift&mask]++
		}
		sum := uint32(0)
		for i, m := range begin {
			begin[i] = sum
			sum += m
		}
		for _, k := range keys {
			p := &begin[k>>shift&mask]
			to[*p] = k
			*p++
		}
		keys, to = to, keys
	}
	return keys
}

// depths counts the leaves of the tree at each depth and returns the largest depth. The
// last count includes deeper leaves.
func (b *Builder) depths(count []uint16, keys []uint32) (deepest int) {
	const never = 1 << 30 // exceeds every frequency
	n := len(keys)
	leaves, nodes, parents := &b.leaves, &b.nodes, &b.parents
	for i, k := range keys {
		leaves[i] = k >> symbolBits
	}
	leaves[n], leaves[n+1] = never, never
	nodes[0], nodes[1] = never, never
	// Each node has the two rarest of the remaining leaves and nodes as children. Both
	// are in ascending order; leaves precede nodes that are equally rare. A node that is
	// not taken here will have a later parent.
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
		deepest = d
	}
	return deepest
}

// limit counts the leaves at each depth of the best code of n symbols that is no longer
// than the limit, by the package-merge algorithm (docs/codecs.md, section 7): the best
// code is the cheapest set of coins of denominations 1/2 to 1/2^limit, one of each for
// every symbol, that is worth n-1. From the smallest denomination on, two coins form a
// package, which is a coin of the next one.
func (b *Builder) limit(count []uint16, n int) {
	limit := len(count) - 1
	coins, packages := &b.coins, &b.packages
	m := copy(coins[:], b.leaves[:n])
	for l := range limit - 1 {
		m /= 2
		for i := range m {
			packages[1+i] = coins[2*i] + coins[2*i+1]
		}
		b.merge(b.cheapest[l][:n+m+1], n)
		m += n
	}
	// The cheapest 2n-2 coins of denomination 1/2 are bought, with the coins in their
	// packages. Each coin that is bought adds a bit to the code of its symbol, so each
	// denomination adds one to the rarest symbols.
	clear(count)
	m = 2*n - 2
	longer := n // number of symbols with codes of at least l bits
	for l := 1; l < limit; l++ {
		bought := int(b.cheapest[limit-1-l][m])
		m = 2 * (m - bought)
		count[l-1] = uint16(longer - bought)
		longer = bought
	}
	count[limit-1] = uint16(longer - m)
	count[limit] = uint16(m)
}

// merge puts n symbols and the packages in order and sets cheapest[i] to the number of
// symbols among the first i coins. It begins at both ends, because every step waits for
// the one before; neither half has more coins than there are symbols.
func (b *Builder) merge(cheapest []uint16, n int) {
	leaves, packages, coins := &b.leaves, &b.packages, &b.coins
	low, high := 0, len(cheapest)-1
	packages[0], packages[high-n+1] = 0, 1<<32-1
	first, last := 0, n // number of symbols among the first low coins, and among the first high coins
	for ; low < high; low, high = low+1, high-1 {
		cheapest[low], cheapest[high] = uint16(first), uint16(last)
		leaf, pack := leaves[first], packages[1+low-first]
		coins[low] = min(leaf, pack)
		first += 1 + int((int64(pack)-int64(leaf))>>63)
		leaf, pack = leaves[last-1], packages[high-last]
		coins[high-1] = max(leaf, pack)
		last += int((int64(pack) - int64(leaf)) >> 63)
	}
	cheapest[low] = uint16(first)
}
