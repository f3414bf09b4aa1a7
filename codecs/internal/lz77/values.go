package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// ValueSize is the bytes of the words that Values looks at.
const ValueSize = 8

// Values looks for repetitions of whole values: words of 8 bytes at multiples
// of 8, as items are in unfiltered data. There is an eighth of the positions to
// search, and the matches have few distinct lengths and distances, which cost
// little to code.
//
// It records where each word and each pair of words last occurred. Single words
// are nearly always found, and pairs often; searching more than these two
// positions gains little.
//
// It belongs to one goroutine at a time.
type Values[P position] struct {
	// Repeats is room for what Scan finds, and as much as one call should ask
	// for, so that it stays in the first-level cache until it is used.
	Repeats [1024]Repeat
	scratch [6 * 1024]byte // for the assembly

	one, two           []P // the last word, and the last pair of words, of each hash
	oneShift, twoShift uint

	judged judgement
}

// LeastWords is the number of words from which on it is worth to look for values
// among them.
const LeastWords = 2048

// A Repeat says what of a word and the three that follow it occurred before:
// their distance in words << repeatBits, and how many of them are equal there.
// 0 is none.
type Repeat uint32

const (
	repeatBits = 3
	// MostRepeated is the most equal words that a Repeat counts; more may
	// follow.
	MostRepeated = 4
)

// Distance returns how many words back the same words are.
func (r Repeat) Distance() int { return int(r >> repeatBits) }

// Words returns how many words repeat, up to MostRepeated.
func (r Repeat) Words() int { return int(r & (1<<repeatBits - 1)) }

// Reset begins a new input of that many words, with tables of that many entries, in
// powers of two.
func (v *Values[P]) Reset(words int, oneBits, twoBits uint) {
	v.judged.reset(words)
	v.one, v.two = cleared(v.one, 1<<oneBits), cleared(v.two, 1<<twoBits)
	v.oneShift, v.twoShift = 64-oneBits, 64-twoBits
}

func cleared[P position](t []P, n int) []P {
	if cap(t) < n {
		t = room.Slice[P](n)
	}
	t = t[:n]
	clear(t) // new memory too: to read it first costs a second page fault
	return t
}

// Scan writes what the words of src from from on repeat of all before, at
// most window words back. Three more words must follow in src.
func (v *Values[P]) Scan(repeats []Repeat, src []byte, from, window int) {
	if len(repeats) == 0 {
		return
	}
	switch v := any(v).(type) {
	case *Values[uint16]:
		if scanFunc16 != nil {
			scanFunc16(v, repeats, src, from, window)
			return
		}
	case *Values[uint32]:
		if scanFunc32 != nil {
			scanFunc32(v, repeats, src, from, window)
			return
		}
	}
	v.scanGeneric(repeats, src, from, window)
}

// These are scanGeneric in assembly, nil if there is none.
var (
	scanFunc16 func(v *Values[uint16], repeats []Repeat, src []byte, from, window int)
	scanFunc32 func(v *Values[uint32], repeats []Repeat, src []byte, from, window int)
)

// scanGeneric is what the assembly does without branches, of which every second
// one would be mispredicted.
func (v *Values[P]) scanGeneric(repeats []Repeat, src []byte, from, window int) {
	const prime1, prime2 = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f
	one, two, oneShift, twoShift := v.one, v.two, v.oneShift, v.twoShift
	word, next := mem.Load64(src, from*ValueSize), mem.Load64(src, (from+1)*ValueSize)
	product := word * prime1
	for k := range repeats {
		i := from + k
		following := next * prime1
		h := product >> (oneShift & 63)
		g := (product ^ following>>7) * prime2 >> (twoShift & 63)
		// Tables begin with zeros, which are places too, and positions of 16
		// bits come round: no distance is larger than i.
		d1, d2 := int(P(i)-one[h]), int(P(i)-two[g])
		one[h], two[g] = P(i), P(i)
		if d1 > window {
			d1 = 0 // none: the word itself
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

// Length returns how many words from word i on occur distance words before, too,
// of n that are known to; they end before word end.
func Length(src []byte, i, distance, n, end int) int {
	if n >= MostRepeated {
		for i+n < end && mem.Load64(src, (i+n)*ValueSize) == mem.Load64(src, (i+n-distance)*ValueSize) {
			n++
		}
	}
	return min(n, end-i)
}

// Backward returns how many bytes before word i occur distance words before,
// too, 8 at most. There must be some before i that no match covers.
func Backward(src []byte, i, distance int) int {
	if i <= distance {
		return 0
	}
	return bits.LeadingZeros64(mem.Load64(src, (i-1)*ValueSize)^mem.Load64(src, (i-1-distance)*ValueSize)) >> 3
}
