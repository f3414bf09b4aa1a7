package tune

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"strings"
)

// maxRecord is the longest record that is looked for, in bytes: the widest item
// whose width fits in a filter's meta, which is a byte.
const maxRecord = 255

// leastRecords is the smallest number of records from which more can be learnt than from
// items.
const leastRecords = 8 * minItems

// recordOf returns the length of the records that the data seem to consist of: the
// distance at which the most bytes equal an earlier one. If the size of an item is known,
// records have whole items. It returns 0 if the distance is one of the widths that are tried
// anyway, or hardly better than those.
func recordOf(samples [][]byte, item int) int {
	var equal [maxRecord + 1]int
	compared, step := 0, max(item, 1)
	for piece, after := range glimpses(samples) {
		for lag := step; lag <= maxRecord; lag += step {
			equal[lag] += equalBytes(piece, after[lag:])
		}
		compared += len(piece)
	}
	best, usual := 0, 0
	for lag := step; lag <= maxRecord; lag += step {
		best = max(best, equal[lag])
		if lag == item || item == 0 && lag <= MaxWidth && lag&(lag-1) == 0 {
			usual = max(usual, equal[lag])
		}
	}
	if best <= usual+usual/16+compared/64 {
		return 0
	}
	length := step
	for equal[length] < best-best/16 { // multiples of the length have about as many equal bytes
		length += step
	}
	if length*leastRecords > totalOf(samples) {
		return 0
	}
	return length
}

// glimpses yields short pieces from a few places of the samples. after begins where piece
// begins, at an even offset, and is maxRecord bytes longer. The lengths of both are multiples of 8.
func glimpses(samples [][]byte) iter.Seq2[[]byte, []byte] {
	const places, size = 4, 1 << 10
	return func(yield func(piece, after []byte) bool) {
		total := totalOf(samples)
		for _, b := range samples {
			n := max(1, places*len(b)/max(total, 1)) // the number of places is proportional to the length
			piece := min(size, len(b)/n-maxRecord) &^ 7
			for i := range n {
				at := 0
				if n > 1 {
					at = (len(b) - maxRecord - piece) / (n - 1) * i &^ 1
				}
				if piece <= 0 || !yield(b[at:at+piece], b[at:at+piece+maxRecord]) {
					return
				}
			}
		}
	}
}

func totalOf(samples [][]byte) (n int) {
	for _, b := range samples {
		n += len(b)
	}
	return n
}

// align moves the whole units of the pieces of a sample together, and returns them.
// The pieces have the same length, and were at the given offsets.
func align(sample []byte, offsets []int64, unit int) []byte {
	piece := len(sample) / len(offsets)
	out := sample[:0]
	for i, at := range offsets {
		b := sample[i*piece : (i+1)*piece]
		b = b[min(int(-at%int64(unit)+int64(unit))%unit, len(b)):]
		out = append(out, b[:len(b)-len(b)%unit]...)
	}
	return out
}

// equalBytes counts the bytes of a that equal the byte of b at the same index. The length
// of a is a multiple of 8, and b is at least as long as a.
func equalBytes(a, b []byte) (n int) {
	const low = 0x7f7f7f7f7f7f7f7f
	b = b[:len(a)]
	for len(a) >= 8 && len(b) >= 8 {
		x := binary.LittleEndian.Uint64(a) ^ binary.LittleEndian.Uint64(b)
		n += bits.OnesCount64(^(x&low + low | x | low))
		a, b = a[8:], b[8:]
	}
	return n
}

// isText reports whether the samples are text: in short pieces of them, no byte is a control
// character that text does not have. Numbers of more than a byte have zeros or such bytes
// among their low ones.
func isText(samples [][]byte) bool {
	n := 0
	for piece := range glimpses(samples) {
		for _, b := range piece {
			if control[b] {
				return false
			}
		}
		n += len(piece)
	}
	return n >= leastText
}

// leastText is the number of bytes from which text is told from numbers: of random bytes, an
// eighth are control characters.
const leastText = 256

// control holds the bytes that do not occur in text, which may have terminal escapes.
var control = func() (t [256]bool) {
	for b := range ' ' {
		t[b] = !strings.ContainsRune("\t\n\v\f\r\x1b", b)
	}
	t[0x7f] = true
	return t
}()

// haveTwins reports whether the bytes of nearly all pairs are equal, and pairs differ from each
// other: an image of 8 bits was converted to 16.
func haveTwins(samples [][]byte) bool {
	twins, changes, n := 0, 0, 0
	for piece := range glimpses(samples) {
		for i := 2; i+1 < len(piece); i += 2 {
			if piece[i] == piece[i+1] {
				twins++
			}
			if piece[i] != piece[i-2] {
				changes++
			}
		}
		n += len(piece) / 2
	}
	return 8*twins > 7*n && 8*changes > n
}
