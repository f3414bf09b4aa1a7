package tune

import "encoding/binary"

// A look holds quick measures of a chunk: the entropy of a byte in bits, alone, as a
// difference from the byte of the previous item, and in each of four planes; and how
// many words of four bytes repeat, in eighths.
type look [3 + planes]int

const planes = 4

// lookAt looks at some places of a chunk.
func lookAt(data []byte, width int) (l look) {
	const places, piece, seenBits = 16, 256, 11
	var whole, delta histogram
	var plane [planes]histogram
	var seen [1 << seenBits]uint32
	words, repeated := 1, 0
	width = max(width, 1)
	step := max((len(data)-piece)/places, piece)
	step = max(step-step%width, 1)
	for at := 0; at < len(data); at += step {
		b := data[at:min(at+piece, len(data))]
		for i := width; i < len(b); i++ {
			delta.counts[b[i]-b[i-width]]++
		}
		delta.n += max(len(b)-width, 0)
		for ; len(b) >= planes; b = b[planes:] {
			v := binary.LittleEndian.Uint32(b)
			was := &seen[v*0x9e3779b1>>(32-seenBits)]
			if words++; *was == v {
				repeated++
			}
			*was = v
			for i := range planes {
				plane[i].counts[b[i]]++
			}
		}
	}
	for i := range plane {
		plane[i].n = words - 1
		for v, n := range plane[i].counts {
			whole.counts[v] += n
		}
		whole.n += words - 1
		l[3+i] = plane[i].bits()
	}
	l[0], l[1], l[2] = whole.bits(), delta.bits(), repeated<<(logBits+3)/words
	return l
}

// bits returns the entropy of a byte in bits, in units of 1/(1 << logBits).
func (h *histogram) bits() int {
	n := h.n
	if n == 0 {
		return 0
	}
	sum := 0
	for _, c := range h.counts {
		if c > 0 {
			sum += int(c) * (log2(n) - log2(int(c)))
		}
	}
	return sum / n
}

// otherKind is a difference of looks that data of one kind rarely have.
const otherKind = 4 << logBits

// muchDifference is a difference of looks for which a search pays even if little of such data
// follows.
const muchDifference = 3 << logBits / 2

// usualDifference returns the difference of looks that chance and the ordinary variation of
// data explain, or several times as much. Searches that find nothing new raise it.
func usualDifference(much bool, vain int) int {
	most := 1 << logBits / 5
	if much {
		most = 1 << logBits
	}
	return most + most*vain/2
}

// distance returns the sum of the differences of two looks.
func (l *look) distance(o *look) (sum int) {
	for i := range l {
		d := l[i] - o[i]
		sum += max(d, -d)
	}
	return sum
}

// differs reports whether two looks differ by more than most, in units of 1/(1 << logBits)
// bits, and a tenth.
func (l *look) differs(o *look, most int) bool {
	for i := range l {
		d := l[i] - o[i]
		if max(d, -d) > most+min(l[i], o[i])/10 {
			return true
		}
	}
	return false
}
