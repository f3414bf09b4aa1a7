package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// ValueSize is the bytes of the words that Values looks at.
const ValueSize = 8

// Values looks for repetitions of whole values: words of 8 bytes at multiples
// of 8, as items stand in data that no filter has moved. There is an eighth of
// the places to look at, and what is found has lengths and distances of few
// kinds, which cost little to code.
//
// It remembers where each word and each pair of words stood last. That a word
// alone is found nearly always, and pairs often, is enough: to look at more
// places than the two makes hardly less of them.
//
// It belongs to one goroutine at a time.
type Values[P position] struct {
	one, two           []P // the last word, and the last pair of words, of each hash
	oneShift, twoShift uint

	// Repeats is room for what Scan tells, and as much as one call should ask
	// for, so that it stays in the first-level cache until it is used.
	Repeats [1024]Repeat
}

// A Repeat tells what of a word and the two that follow it stood before: their
// distance in words << 2, and how many of them are equal there. 0 is none.
type Repeat uint32

// Reset begins a new input, with tables of so many entries, in powers of two.
func (v *Values[P]) Reset(oneBits, twoBits uint) {
	v.one, v.two = cleared(v.one, 1<<oneBits), cleared(v.two, 1<<twoBits)
	v.oneShift, v.twoShift = 64-oneBits, 64-twoBits
}

func cleared[P position](t []P, n int) []P {
	if cap(t) < n {
		return make([]P, n)
	}
	t = t[:n]
	clear(t)
	return t
}

// Scan tells of the words of src from from on what they repeat of all before,
// at most window words back. Two more words must follow in src.
func (v *Values[P]) Scan(repeats []Repeat, src []byte, from, window int) {
	if len(repeats) > 0 && !scanFast(v, repeats, src, from, window) {
		v.scanGeneric(repeats, src, from, window)
	}
}

// scanGeneric has no branches, of which every second one would be mispredicted.
func (v *Values[P]) scanGeneric(repeats []Repeat, src []byte, from, window int) {
	const prime1, prime2 = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f
	one, two, oneShift, twoShift := v.one, v.two, v.oneShift, v.twoShift
	word, next := mem.Load64(src, from*ValueSize), mem.Load64(src, (from+1)*ValueSize)
	product := word * prime1
	for k := range repeats {
		i := from + k
		third := mem.Load64(src, (i+2)*ValueSize)
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
		unlike2 := word ^ mem.Load64(src, (i-d2)*ValueSize)
		unlike2 |= next ^ mem.Load64(src, (i-d2+1)*ValueSize)
		unlike3 := unlike2 | (third ^ mem.Load64(src, (i-d2+2)*ValueSize))
		r := 0
		if word == mem.Load64(src, (i-d1)*ValueSize) {
			r = d1<<2 | 1
		}
		if unlike2 == 0 {
			r = d2<<2 | 2
		}
		if unlike3 == 0 {
			r = d2<<2 | 3
		}
		if r <= 3 {
			r = 0
		}
		repeats[k] = Repeat(r)
		word, next, product = next, third, following
	}
}

// Length gives how many words from word i on stand distance words before too,
// of n that are known to; they end before word end.
func Length(src []byte, i, distance, n, end int) int {
	if n > 2 {
		for i+n < end && mem.Load64(src, (i+n)*ValueSize) == mem.Load64(src, (i+n-distance)*ValueSize) {
			n++
		}
	}
	return min(n, end-i)
}

// Backward gives how many bytes before word i stand distance words before too,
// 8 at most. There must be some before i that no match covers.
func Backward(src []byte, i, distance int) int {
	if i <= distance {
		return 0
	}
	return bits.LeadingZeros64(mem.Load64(src, (i-1)*ValueSize)^mem.Load64(src, (i-1-distance)*ValueSize)) >> 3
}

// Suits tells by the beginning of src whether to look for whole values is worth
// it: most words stood before, and they have little in common with the word in
// front of them. Where they have, more is found among their bytes. It ends the
// input that was under way.
func (v *Values[P]) Suits(src []byte, window int) bool {
	const least, most = 1024, 4096
	words := min(len(src)/ValueSize-2, most)
	if words < least {
		return false
	}
	v.Reset(13, 14)
	looked, found, common := 0, 0, 0
	for from := 0; from < words; from += len(v.Repeats) {
		repeats := v.Repeats[:min(len(v.Repeats), words-from)]
		v.Scan(repeats, src, from, window)
		if from+len(repeats) <= words/2 {
			continue // there is too little yet that could stand before
		}
		last := mem.Load64(src, from*ValueSize)
		for k, r := range repeats {
			word := mem.Load64(src, (from+k)*ValueSize)
			common += equalBytes(word, last)
			found += int(r&1 | r>>1&1)
			last = word
		}
		looked += len(repeats)
	}

	return 8*found >= 5*looked && common <= 4*looked
}

// equalBytes gives how many bytes of two words are equal.
func equalBytes(a, b uint64) int {
	const low = 0x7f7f7f7f7f7f7f7f
	x := a ^ b
	return bits.OnesCount64(^((x&low + low) | x | low))
}
