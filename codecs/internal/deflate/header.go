package deflate

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2/codecs/internal/bitio"
	"github.com/seed03b80dae/blosc2/codecs/internal/huffman"
)

// A header describes the codes of a dynamic block (RFC 1951, 3.2.7): the length of each
// code word, with repetitions, in a separate code.
type header struct {
	symbols             [numLiterals + numDistances]uint16 // each is repetition<<5 | symbol
	n                   int
	literals, distances int // how many lengths of each code are described
	lengths             int
	code                code
	size                int // size of the header in bits
}

// lengthOrder is the order of the lengths of the code for code lengths.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

var repeatExtra = [19]uint8{16: 2, 17: 3, 18: 7}

func (h *header) make(b *huffman.Builder, literals, distances *code) {
	h.literals = max(firstLength, literals.end())
	h.distances = max(1, distances.end())
	const none = 0xff // marks the end of the lengths
	var all [numLiterals + numDistances + 4]uint8
	copy(all[:], literals.lengths[:h.literals])
	n := h.literals + copy(all[h.literals:], distances.lengths[:h.distances])
	binary.LittleEndian.PutUint32(all[n:], none*0x01010101)

	var freq [19]uint32
	for l := 1; l <= maxBits; l++ {
		freq[l] = uint32(literals.count[l] + distances.count[l])
	}
	freq[0] = uint32(n - literals.used - distances.used)
	h.n = 0
	for i := 0; i < n; {
		w := binary.LittleEndian.Uint32(all[i:])
		l := uint16(w & 255)
		if (w^w>>8)&0xffff != 0 { // fewer than three equal lengths
			h.add(l)
			i++
			continue
		}
		run := 3
		for uint16(all[i+run]) == l {
			run++
		}
		i += run
		repeat := func(symbol uint16, least, most int) {
			k := min(run, most)
			h.add(uint16(k-least)<<5 | symbol)
			freq[symbol]++
			freq[l] -= uint32(k)
			run -= k
		}
		if l == 0 {
			for run >= 11 {
				repeat(18, 11, 138)
			}
			if run >= 3 {
				repeat(17, 3, 10)
			}
		} else {
			h.add(l)
			for run--; run >= 3; {
				repeat(16, 3, 6)
			}
		}
		for range run {
			h.add(l)
		}
	}
	const limit = 7
	h.code.build(b, freq[:], limit)
	h.code.assign()
	h.lengths = len(lengthOrder)
	for h.lengths > 4 && h.code.lengths[lengthOrder[h.lengths-1]] == 0 {
		h.lengths--
	}
	h.size = 5 + 5 + 4 + 3*h.lengths + h.code.size
	for s := 16; s < len(freq); s++ {
		h.size += int(freq[s]) * int(repeatExtra[s])
	}
}

// add appends a repetition<<5 | symbol.
func (h *header) add(v uint16) {
	h.symbols[h.n] = v
	h.n++
}

// put writes HLIT, HDIST, HCLEN, the code of code lengths, and the lengths (RFC
// 1951, 3.2.7).
func (h *header) put(w *bitio.Writer) {
	w.Add(uint64(h.literals-firstLength), 5)
	w.Add(uint64(h.distances-1), 5)
	w.Add(uint64(h.lengths-4), 4)
	w.Flush()
	for i, s := range lengthOrder[:h.lengths] {
		w.Add(uint64(h.code.lengths[s]), 3)
		if i%16 == 15 {
			w.Flush()
		}
	}
	w.Flush()
	for _, v := range h.symbols[:h.n] {
		s := v & 31
		c := h.code.codes[s]
		w.Add(uint64(c>>8), uint(c&255))
		w.Add(uint64(v>>5), uint(repeatExtra[s]))
		w.Flush()
	}
}
