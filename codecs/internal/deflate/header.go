package deflate

// A header describes the codes of a dynamic block (RFC 1951, 3.2.7): the bits
// of each, with repetitions, in a code of their own.
type header struct {
	symbols             [numLiterals + numDistances]uint16 // repetition<<5 | symbol
	n                   int
	literals, distances int // that are described
	lengths             int
	bits                [19]uint8
	codes               [19]uint32
	size                int // of it all, in bits
}

// lengthOrder is that in which the bits of the code of bits stand.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

var repeatExtra = [19]uint8{16: 2, 17: 3, 18: 7}

func (h *header) make(b *builder, literals *[numLiterals]uint8, distances *[numDistances]uint8) {
	h.literals, h.distances = numLiterals, numDistances
	for h.literals > firstLength && literals[h.literals-1] == 0 {
		h.literals--
	}
	for h.distances > 1 && distances[h.distances-1] == 0 {
		h.distances--
	}
	var all [numLiterals + numDistances]uint8
	copy(all[:], literals[:h.literals])
	copy(all[h.literals:], distances[:h.distances])
	n := h.literals + h.distances

	var freq [19]uint32
	h.n = 0
	put := func(symbol, times int) {
		h.symbols[h.n] = uint16(times<<5 | symbol)
		h.n++
		freq[symbol]++
	}
	for i := 0; i < n; {
		l, run := all[i], 1
		for i+run < n && all[i+run] == l {
			run++
		}
		i += run
		if l == 0 {
			for run >= 11 {
				k := min(run, 138)
				put(18, k-11)
				run -= k
			}
			if run >= 3 {
				put(17, run-3)
				run = 0
			}
		} else if run >= 4 {
			put(int(l), 0)
			for run--; run >= 3; {
				k := min(run, 6)
				put(16, k-3)
				run -= k
			}
		}
		for range run {
			put(int(l), 0)
		}
	}
	const limit = 7
	b.lengths(h.bits[:], freq[:], limit)
	codes(h.codes[:], h.bits[:])
	h.lengths = len(lengthOrder)
	for h.lengths > 4 && h.bits[lengthOrder[h.lengths-1]] == 0 {
		h.lengths--
	}
	h.size = 5 + 5 + 4 + 3*h.lengths
	for s, f := range freq {
		h.size += int(f) * int(h.bits[s]+repeatExtra[s])
	}
}

func (h *header) put(w *bitWriter) {
	w.add(uint64(h.literals-firstLength), 5)
	w.add(uint64(h.distances-1), 5)
	w.add(uint64(h.lengths-4), 4)
	w.flush()
	for i, s := range lengthOrder[:h.lengths] {
		w.add(uint64(h.bits[s]), 3)
		if i%16 == 15 {
			w.flush()
		}
	}
	w.flush()
	for _, v := range h.symbols[:h.n] {
		s := v & 31
		c := h.codes[s]
		w.add(uint64(c>>8), uint(c&255))
		w.add(uint64(v>>5), uint(repeatExtra[s]))
		w.flush()
	}
}
