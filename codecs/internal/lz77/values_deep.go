package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// DeepValues searches for repetitions of whole values as Values does, but compares
// several positions and finds the cheapest cover of a part of the input. The zero
// value is ready after Reset. It is for one goroutine at a time.
type DeepValues struct {
	one    []uint32 // position of the last word with each hash, plus one
	two    []uint32 // position of the last pair of words with each hash, plus one
	before []uint32 // for each pair the position of the previous one with the same hash, plus one
	shift  uint     // shifts products to hashes

	parser  Parser
	lengths []uint32 // prices of the lengths
	found   [longStep + 1]Candidate

	// These are set by Parse.
	src               []byte
	to, window, depth int
	price             Price
	noted             int            // index of the first word that is not in the tables
	last              [64]lastPlaces // for the words before noted
}

// lastPlaces holds the last positions with the hash of a word and with that of a
// pair of words, plus one, or 0 for none.
type lastPlaces struct{ one, two uint32 }

// A Price describes the cost of a codec's sequences, in approximate bits.
type Price struct {
	Literal uint32 // price of a word as a literal
	Match   uint32 // price of any sequence
	Bit     uint32 // added for each bit of the distance in words
	Long    uint32 // added for 3 words or more
}

// longStep is the length in words of a match that is taken immediately.
const longStep = 64

// Reset begins a new input of the given number of words.
func (v *DeepValues) Reset(words int) {
	// A word that is overwritten costs more than memory, so there are eight entries for
	// each word.
	v.shift = 64 - min(max(uint(bits.Len(uint(words)))+3, 14), 18)
	v.one, v.two = room.Zeros(v.one, 1<<(64-v.shift)), room.Zeros(v.two, 1<<(64-v.shift))
	v.before = room.Resize(v.before, words)
	v.noted = 0
}

// Parse returns the sequences that cover the words [from, to), which must follow
// those of the previous call. Literals, lengths, and distances in place of Off, are
// in words. Distances are at most window; depth positions are compared. The result
// is valid until the next call.
func (v *DeepValues) Parse(src []byte, from, to, window, depth int, p Price) []Seq {
	v.src, v.to, v.window, v.depth, v.price = src, to, window, depth, p
	defer func() { v.src = nil }()
	v.lengths = append(v.lengths[:0], 0, 0, 0)
	for len(v.lengths) < longStep {
		v.lengths = append(v.lengths, p.Long)
	}
	seqs, _ := v.parser.Parse(v, from, to, &Costs{Lengths: v.lengths, Least: 1})
	return seqs
}

// Seek implements Matcher.
func (v *DeepValues) Seek(at int, _ Step) (int, uint32, []Candidate) {
	for ; at < v.to; at++ {
		if literal, matches := v.At(at, Step{}, true); len(matches) > 0 {
			return at, literal, matches
		}
	}
	return at, 0, nil
}

// At implements Matcher.
func (v *DeepValues) At(at int, _ Step, good bool) (literal uint32, matches []Candidate) {
	if !good {
		return v.price.Literal, nil
	}
	for v.noted <= at {
		v.enter()
	}
	found := 0
	src, to, last := v.src, v.to, v.last[at%len(v.last)]
	word := mem.Load64(src, at*ValueSize)
	oldest, longest := max(0, at-v.window), 0
	if ref := int(last.one) - 1; ref >= oldest && mem.Load64(src, ref*ValueSize) == word {
		longest = v.repeated(at, ref)
		v.found[0] = v.candidate(at-ref, longest)
		found++
	}
	ref := int(last.two) - 1
	for k := v.depth; k > 0 && ref >= oldest && longest < longStep; k-- {
		if at+longest < to && mem.Load64(src, (ref+longest)*ValueSize) == mem.Load64(src, (at+longest)*ValueSize) &&
			mem.Load64(src, ref*ValueSize) == word {
			if l := v.repeated(at, ref); l > longest {
				v.found[found] = v.candidate(at-ref, l)
				longest = l
				found++
			}
		}
		ref = int(v.before[ref]) - 1
	}
	return v.price.Literal, v.found[:found]
}

// repeated returns how many words, beginning with word at, equal those beginning with
// word ref. The first is known to be equal.
func (v *DeepValues) repeated(at, ref int) int {
	l := 1
	for at+l < v.to && mem.Load64(v.src, (ref+l)*ValueSize) == mem.Load64(v.src, (at+l)*ValueSize) {
		l++
	}
	return l
}

// candidate returns the match of the given number of words.
func (v *DeepValues) candidate(distance, words int) Candidate {
	d := uint32(distance)
	return Candidate{uint32(words), d, v.price.Match + v.price.Bit*uint32(bits.Len32(d))}
}

// enter records the positions of the next words, and of the pairs that begin with
// them, and where these occurred last. It enters many at a time, so that accesses
// to the tables do not wait for each other.
func (v *DeepValues) enter() {
	src, one, two, before, shift := v.src, v.one, v.two, v.before, v.shift&63
	end := min(v.noted+len(v.last), v.to)
	word := mem.Load64(src, v.noted*ValueSize)
	for at := v.noted; at < end; at++ {
		next := mem.Load64(src, (at+1)*ValueSize)
		h, g := hashWords(word, 0)>>shift, hashWords(word, next)>>shift
		last := lastPlaces{one[h], two[g]}
		one[h], two[g], before[at] = uint32(at+1), uint32(at+1), last.two
		v.last[at%len(v.last)] = last
		word = next
	}
	v.noted = end
}

// These constants are from xxHash.
const prime1, prime2 uint64 = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f

func hashWords(word, next uint64) uint64 {
	return (word*prime1 ^ next*prime2>>7) * prime2
}
