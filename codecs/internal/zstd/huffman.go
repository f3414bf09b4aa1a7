package zstd

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/bitio"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// maxCodeBits is the length of the longest Huffman code that literals may have
// (RFC 8878, 4.2.1).
const maxCodeBits = 11

// A huffman codes the literals of a block by a code of its own.
type huffman struct {
	counts [4][256]uint32 // of a byte; the sum is in the first
	// For each byte its code in the highest bits and how many they are in the
	// lowest ones. What lies between is 0.
	table   [256]uint64
	length  [256]uint8 // of a code in bits; 0 for bytes that do not occur
	last    int        // the highest byte that occurs
	most    uint8      // the longest of the codes
	sorted  [2][256]uint32
	begin   [256]uint32 // of the sorting
	nodes   [256]uint32
	weight  fseTable
	streams [4]codeStream
}

// count makes the histogram of b and returns its largest number. Neighbours go
// to four tables, for runs of one byte would wait for each other in one.
func (h *huffman) count(b []byte) (largest int) {
	clear(h.counts[0][:])
	clear(h.counts[1][:])
	clear(h.counts[2][:])
	clear(h.counts[3][:])
	c0, c1, c2, c3 := &h.counts[0], &h.counts[1], &h.counts[2], &h.counts[3]
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := mem.Load64(b, i)
		c0[uint8(w)]++
		c1[uint8(w>>8)]++
		c2[uint8(w>>16)]++
		c3[uint8(w>>24)]++
		c0[uint8(w>>32)]++
		c1[uint8(w>>40)]++
		c2[uint8(w>>48)]++
		c3[uint8(w>>56)]++
	}
	for _, v := range b[i:] {
		c0[v]++
	}
	h.last = 0
	for s := range c0 {
		n := c0[s] + c1[s] + c2[s] + c3[s]
		c0[s] = n
		if n > 0 {
			h.last = s
			largest = max(largest, int(n))
		}
	}
	return largest
}

// build assigns every byte that was counted the length of its code, of at most
// limit bits, and returns the number of bits that all of them take together. At
// least two bytes must have been counted.
func (h *huffman) build(limit int) (total int) {
	sorted := h.sort()
	n := len(sorted)
	// Lengths of a Huffman code, worked out in place (Moffat and Katajainen):
	// first the sums of the nodes and whose children they are, then depths.
	a := h.nodes[:n]
	for i, s := range sorted {
		a[i] = s >> 8
	}
	a[0] += a[1]
	root, leaf := 0, 2
	for next := 1; next < n-1; next++ {
		if leaf >= n || a[root] < a[leaf] {
			a[next] = a[root]
			a[root] = uint32(next)
			root++
		} else {
			a[next] = a[leaf]
			leaf++
		}
		if leaf >= n || root < next && a[root] < a[leaf] {
			a[next] += a[root]
			a[root] = uint32(next)
			root++
		} else {
			a[next] += a[leaf]
			leaf++
		}
	}
	a[n-2] = 0
	for next := n - 3; next >= 0; next-- {
		a[next] = a[a[next]] + 1
	}
	var number [32]int // of codes of each length; deeper ones count as the limit
	free, depth := 1, 0
	for node, used := n-2, 0; free > 0; depth++ {
		used = 0
		for node >= 0 && int(a[node]) == depth {
			used++
			node--
		}
		number[min(depth, limit)] += free - used
		free = 2 * used
	}
	shorten(&number, limit)

	clear(h.length[:])
	at := n
	for l := 1; l <= limit; l++ {
		for range number[l] {
			at--
			s := sorted[at]
			h.length[uint8(s)] = uint8(l)
			total += int(s>>8) * l
		}
		if number[l] > 0 {
			h.most = uint8(l)
		}
	}
	h.assign(&number)
	return total
}

// sort returns the bytes that were counted, the rarest first: count<<8 | byte.
func (h *huffman) sort() []uint32 {
	a, b := &h.sorted[0], &h.sorted[1]
	n := 0
	all := uint32(0)
	for s, c := range h.counts[0][:h.last+1] {
		if c > 0 {
			a[n&255] = c<<8 | uint32(s)
			n++
			all |= c
		}
	}
	for shift := 8; all > 0; shift, all = shift+8, all>>8 {
		begin := &h.begin
		clear(begin[:])
		for _, v := range a[:n] {
			begin[uint8(v>>shift)]++
		}
		sum := uint32(0)
		for i, c := range begin {
			begin[i] = sum
			sum += c
		}
		for _, v := range a[:n] {
			p := &begin[uint8(v>>shift)]
			b[*p&255] = v
			*p++
		}
		a, b = b, a
	}
	return a[:n]
}

// shorten makes the numbers of codes of each length fit, after longer ones
// were cut to the limit: those of a length below must grow.
func shorten(number *[32]int, limit int) {
	over := -1 << limit // by how much the codes take more than there is room
	for l := 1; l <= limit; l++ {
		over += number[l] << (limit - l)
	}
	for over > 0 {
		l := limit - 1
		for number[l] == 0 {
			l--
		}
		number[l]--
		number[l+1]++
		over -= 1 << (limit - l - 1)
	}
	// What was too much makes others shorter, from the longest on.
	for over < 0 {
		l := limit
		for number[l] == 0 || 1<<(limit-l) > -over {
			l--
		}
		number[l]--
		number[l-1]++
		over += 1 << (limit - l)
	}
}

// assign makes the table: the longest codes are the lowest, and those of one
// length are in the order of the bytes.
func (h *huffman) assign(number *[32]int) {
	var next [32]uint64
	code := 0
	for l := int(h.most); l > 0; l-- {
		next[l] = uint64(code)
		code = (code + number[l]) >> 1
	}
	for s, l := range h.length[:h.last+1] {
		h.table[s] = 0
		if l > 0 {
			h.table[s] = next[l&31]<<(64-l) | uint64(l)
			next[l&31]++
		}
	}
}

// appendTable describes the code by the weights of all bytes but the last; nil
// means that it cannot be done.
func (h *huffman) appendTable(dst []byte) []byte {
	var weights [256]uint8
	var counts [maxCodeBits + 2]uint32
	n, largest := h.last, uint32(0)
	for s, l := range h.length[:n] {
		w := uint8(0)
		if l > 0 {
			w = h.most + 1 - l
		}
		weights[s] = w
		counts[w]++
		largest = max(largest, counts[w])
	}
	at := len(dst)
	if n > 2 && int(largest) < n {
		dst = h.appendWeights(append(dst, 0), weights[:n], counts[:h.most+1])
		if size := len(dst) - at - 1; size < 128 && (n > 128 || size < n/2) {
			dst[at] = byte(size)
			return dst
		}
		dst = dst[:at]
	}
	if n > 128 {
		return nil
	}
	dst = append(dst, byte(127+n))
	for i := 0; i < n; i += 2 {
		dst = append(dst, weights[i]<<4|weights[i+1])
	}
	return dst
}

// appendWeights codes weights with two states that take turns.
func (h *huffman) appendWeights(dst []byte, weights []uint8, counts []uint32) []byte {
	var space [maxCodeBits + 2]int16
	log := uint(min(max(bits.Len(uint(len(weights)-1))-2, 5), 6))
	norm := space[:len(counts)]
	for norm[len(norm)-1] == 0 && counts[len(norm)-1] == 0 {
		norm = norm[:len(norm)-1]
	}
	normalize(norm, counts[:len(norm)], len(weights), log)
	dst = appendCounts(dst, norm, log)
	t := &h.weight
	t.build(norm, log)
	dst = room(dst, len(weights)+8)
	b := bitio.Writer{Out: dst[:cap(dst)], At: len(dst)}
	n := len(weights)
	var states [2]uint32
	states[(n-1)&1] = t.first(weights[n-1])
	states[n&1] = t.first(weights[n-2])
	for i := n - 3; i >= 0; i-- {
		states[i&1] = t.next(&b, states[i&1], weights[i])
		b.Flush()
	}
	b.Add(low(states[1], t.log), t.log)
	b.Add(low(states[0], t.log), t.log)
	return dst[:endMark(&b)]
}
