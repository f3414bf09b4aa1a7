package deflate

import "math/bits"

// maxBits is the longest code that is made. It is one less than allowed: four
// literals and what is left of a byte then fit into a word.
const maxBits = 14

// A builder finds the lengths of Huffman codes.
type builder struct {
	keys, sorted [numLiterals]uint32 // frequency<<9 | symbol, of what occurs
	tree         [numLiterals]uint32
}

// lengths sets the bits of the code of every symbol, 0 for those that do not
// occur, none above limit. A single symbol gets a code of one bit.
func (b *builder) lengths(out []uint8, freq []uint32, limit int) {
	clear(out)
	n, largest := 0, uint32(0)
	for s, f := range freq {
		if f != 0 {
			b.keys[n] = f<<9 | uint32(s)
			largest |= f
			n++
		}
	}
	switch n {
	case 0:
		return
	case 1:
		out[b.keys[0]&511] = 1
		return
	}
	b.sort(n, largest)
	keys := b.keys[:n]

	// The tree is made in place, from the rarest symbols on: nodes below the
	// one under construction hold their parent's place (Moffat, Katajainen).
	t := b.tree[:n]
	for i, k := range keys {
		t[i] = k >> 9
	}
	leaf, root := 0, 0
	for next := 0; next < n-1; next++ {
		sum := uint32(0)
		for range 2 {
			if leaf >= n || root < next && t[root] < t[leaf] {
				sum += t[root]
				t[root] = uint32(next)
				root++
			} else {
				sum += t[leaf]
				leaf++
			}
		}
		t[next] = sum
	}
	// Depths of the inner nodes, and from these the number of leaves at each depth.
	var count [33]int
	t[n-2] = 0
	for i := n - 3; i >= 0; i-- {
		t[i] = t[t[i]] + 1
	}
	avail, used, depth := 1, 0, 0
	for i := n - 2; avail > 0; depth++ {
		for i >= 0 && int(t[i]) == depth {
			used++
			i--
		}
		count[min(depth, limit)] += avail - used
		avail, used = 2*used, 0
	}
	shorten(count[:limit+1], limit)

	i := 0
	for l := limit; l > 0; l-- {
		for range count[l] {
			out[keys[i]&511] = uint8(l)
			i++
		}
	}
}

// shorten makes a code complete again in which codes longer than limit were
// counted as of that length: each step makes a shorter one longer, as little as
// possible, and puts one of the longest beside it.
func shorten(count []int, limit int) {
	sum := 0
	for l := 1; l <= limit; l++ {
		sum += count[l] << (limit - l)
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

// sort sorts the first n keys. Two passes over bytes of the frequencies are as
// a rule enough.
func (b *builder) sort(n int, largest uint32) {
	keys := b.keys[:n]
	if n <= 24 {
		for i := 1; i < n; i++ {
			k, j := keys[i], i
			for ; j > 0 && keys[j-1] > k; j-- {
				keys[j] = keys[j-1]
			}
			keys[j] = k
		}
		return
	}
	from, to := &b.keys, &b.sorted
	for shift := uint(0); shift < uint(bits.Len32(largest)); shift += 8 {
		var at [257]uint16
		for _, k := range from[:n] {
			at[k>>(9+shift)&255+1]++
		}
		sum := uint16(0)
		for i := range at {
			sum += at[i]
			at[i] = sum
		}
		for _, k := range from[:n] {
			p := &at[k>>(9+shift)&255]
			to[*p] = k
			*p++
		}
		from, to = to, from
	}
	if from != &b.keys {
		copy(keys, from[:n])
	}
}

// codes gives the codes of these lengths, as code<<8 | bits, the code's first
// bit the lowest.
func codes(out []uint32, lengths []uint8) {
	var next [17]uint32
	for _, l := range lengths {
		next[l+1]++
	}
	next[1] = 0
	code := uint32(0)
	for l := 1; l < len(next)-1; l++ {
		code = (code + next[l]) << 1
		next[l] = code
	}
	for s, l := range lengths {
		if l == 0 {
			out[s] = 0
			continue
		}
		out[s] = uint32(bits.Reverse16(uint16(next[l]))>>(16-l))<<8 | uint32(l)
		next[l]++
	}
}
