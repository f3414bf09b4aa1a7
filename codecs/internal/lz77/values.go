package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// ValueSize is the size in bytes of the words that Values examines.
const ValueSize = 8

// Values looks for repetitions of whole values: words of 8 bytes at multiples of 8,
// such as the items of unfiltered data. Only one position in eight is searched, and
// the matches have few distinct lengths and distances, which cost little to code.
//
// It records where each word and each pair of words last occurred. Repeated single words
// are nearly always found, and pairs often; searching more than these two positions gains
// little.
//
// It belongs to one goroutine at a time.
type Values[P position] struct {
	// Repeats holds the results of Scan. It is as long as a single call should
	// request, so that it stays in the first-level cache until it is used.
	Repeats [1024]Repeat
	scratch [6 * 1024]byte // scratch memory of the assembly

	one, two           []P // the position of the last word, and of the last pair of words, with each hash
	oneShift, twoShift uint

	judged judgement
}

// LeastWords is the smallest number of words for which looking for values pays.
const LeastWords = 2048

// A Repeat describes the earlier occurrence of a word and the three that follow it:
// the distance in words << repeatBits, and how many of the words are equal there. 0
// means none.
type Repeat uint32

const (
	repeatBits = 3
	// MostRepeated is the largest number of equal words that a Repeat counts: a search
	// compares four. Further words may be equal too.
	MostRepeated = 4
)

// Distance returns the distance to the same words, in words.
func (r Repeat) Distance() int { return int(r >> repeatBits) }

// Words returns how many words repeat, up to MostRepeated.
func (r Repeat) Words() int { return int(r & (1<<repeatBits - 1)) }

// Reset begins a new input of the given number of words, with tables of the given
// sizes, as powers of two.
func (v *Values[P]) Reset(words int, oneBits, twoBits uint) {
	v.judged.reset(words)
	v.one, v.two = room.Zeros(v.one, 1<<oneBits), room.Zeros(v.two, 1<<twoBits)
	v.oneShift, v.twoShift = 64-oneBits, 64-twoBits
}

// Scan writes a Repeat for each word of src, beginning with word from, at distances
// of at most window words. Three more words must follow in src.
func (v *Values[P]) Scan(repeats []Repeat, src []byte, from, window int) {
	if len(repeats) == 0 {
		return
	}
	switch v := any(v).(type) {
	case *Values[uint16]:
		scanFunc16(v, repeats, src, from, window)
	case *Values[uint32]:
		scanFunc32(v, repeats, src, from, window)
	}
}

// These are assembly if available.
var (
	scanFunc16 = (*Values[uint16]).scanGeneric
	scanFunc32 = (*Values[uint32]).scanGeneric
)

// scanGeneric does the work of Scan. The assembly that replaces it has no branches,
// because half of them would be mispredicted.
func (v *Values[P]) scanGeneric(repeats []Repeat, src []byte, from, window int) {
	one, two, oneShift, twoShift := v.one, v.two, v.oneShift, v.twoShift
	word, next := mem.Load64(src, from*ValueSize), mem.Load64(src, (from+1)*ValueSize)
	product := word * prime1
	for k := range repeats {
		i := from + k
		following := next * prime1
		h := product >> (oneShift & 63)
		g := (product ^ following>>7) * prime2 >> (twoShift & 63)
		// Tables begin with zeros, which are valid positions too, and positions of
		// 16 bits wrap around, so distances larger than i are rejected.
		d1, d2 := int(P(i)-one[h]), int(P(i)-two[g])
		one[h], two[g] = P(i), P(i)
		if d1 > window {
			d1 = 0 // no repetition: this is the word itself
		}
		if uint(d2-1) > uint(window-1) {
			d2 = d1
		}
		equal := 0
		for equal < MostRepeated && mem.Load64(src, (i+equal)*ValueSize) == mem.Load64(src, (i+equal-d2)*ValueSize) {
			equal++
		}
		r := 0
		if word == mem.Load64(src, (i-d1)*ValueSize) {
			r = d1<<repeatBits | 1
		}
		if equal >= 2 {
			r = d2<<repeatBits | equal
		}
		if r < 1<<repeatBits {
			r = 0
		}
		repeats[k] = Repeat(r)
		word, next, product = next, mem.Load64(src, (i+2)*ValueSize), following
	}
}

// Length returns how many words, beginning with word i, equal those distance words
// earlier. n words are known to be equal. The result ends before word end.
func Length(src []byte, i, distance, n, end int) int {
	if n >= MostRepeated {
		for i+n < end && mem.Load64(src, (i+n)*ValueSize) == mem.Load64(src, (i+n-distance)*ValueSize) {
			n++
		}
	}
	return min(n, end-i)
}

// Backward returns how many bytes before word i, at most 8, equal those distance
// words earlier. There must be bytes before i that no match covers.
func Backward(src []byte, i, distance int) int {
	if i <= distance {
		return 0
	}
	return bits.LeadingZeros64(mem.Load64(src, (i-1)*ValueSize)^mem.Load64(src, (i-1-distance)*ValueSize)) >> 3
}
