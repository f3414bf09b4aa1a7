package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// DeepValues looks for repetitions of whole values as Values does, but compares
// several places and weighs all ways to cover a part of the input against each
// other. The zero value is ready after Reset. It belongs to one goroutine at a
// time.
type DeepValues struct {
	one    []uint32 // the last word of each hash, raised by one
	two    []uint32 // the last pair of words of each hash, likewise
	before []uint32 // for each pair the one before with its hash, likewise
	shift  uint     // what makes hashes of products

	parser  Parser
	lengths []uint32 // their prices
	found   []Candidate

	// Of Parse.
	src               []byte
	to, window, depth int
	price             Price
	noted             int // the first word that is in no table
}

// A Price says what a codec's sequences cost, in bits or so.
type Price struct {
	Literal uint32 // a word
	Match   uint32 // whatever it is,
	Bit     uint32 // and for each bit of its distance in words,
	Long    uint32 // and from 3 words on
}

// longStep is the words of a match that is taken at once.
const longStep = 64

// Reset begins a new input of that many words.
func (v *DeepValues) Reset(words int) {
	// A word that is lost costs more than memory: eight places for each.
	v.shift = 64 - min(max(uint(bits.Len(uint(words)))+3, 14), 18)
	v.one, v.two = cleared(v.one, 1<<(64-v.shift)), cleared(v.two, 1<<(64-v.shift))
	if cap(v.before) < words {
		v.before = make([]uint32, words)
	}
	v.before = v.before[:words]
	v.noted = 0
}

// Parse returns the sequences that cover the words from from to to, which follow
// those that it covered before. Literals, lengths, and distances in place of
// Off, are in words. Distances are at most window; depth places are compared.
// The result is good until the next call.
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

// Seek is that of a Matcher.
func (v *DeepValues) Seek(at int, _, _ uint32) (int, uint32, []Candidate) {
	for ; at < v.to; at++ {
		if literal, matches := v.At(at, 0, 0, true); len(matches) > 0 {
			return at, literal, matches
		}
	}
	return at, 0, nil
}

// At is that of a Matcher.
func (v *DeepValues) At(at int, _, _ uint32, good bool) (literal uint32, matches []Candidate) {
	if !good {
		return v.price.Literal, nil
	}
	src, to := v.src, v.to
	for ; v.noted < at; v.noted++ {
		word, next := mem.Load64(src, v.noted*ValueSize), mem.Load64(src, (v.noted+1)*ValueSize)
		v.note(v.noted, v.hash(word, 0), v.hash(word, next))
	}
	v.noted = at + 1
	v.found = v.found[:0]
	word, next := mem.Load64(src, at*ValueSize), mem.Load64(src, (at+1)*ValueSize)
	h, g := v.hash(word, 0), v.hash(word, next)
	oldest, longest := max(0, at-v.window), 0
	if ref := int(v.one[h]) - 1; ref >= oldest && mem.Load64(src, ref*ValueSize) == word {
		longest = v.add(at, ref, v.repeated(at, ref))
	}
	ref := int(v.two[g]) - 1
	for k := v.depth; k > 0 && ref >= oldest && longest < longStep; k-- {
		if at+longest < to && mem.Load64(src, (ref+longest)*ValueSize) == mem.Load64(src, (at+longest)*ValueSize) &&
			mem.Load64(src, ref*ValueSize) == word {
			if l := v.repeated(at, ref); l > longest {
				longest = v.add(at, ref, l)
			}
		}
		ref = int(v.before[ref]) - 1
	}
	v.note(at, h, g)
	return v.price.Literal, v.found
}

// repeated returns how many words from at on are the same as those from ref on.
func (v *DeepValues) repeated(at, ref int) int {
	return commonPrefix(v.src, at*ValueSize, ref*ValueSize, v.to*ValueSize) / ValueSize
}

// add notes the match of l words with those from ref on, and returns l. As places
// farther back cost more, they are not looked at for lengths that are known.
func (v *DeepValues) add(at, ref, l int) int {
	d := uint32(at - ref)
	v.found = append(v.found, Candidate{uint32(l), d, v.price.Match + v.price.Bit*uint32(bits.Len32(d))})
	return l
}

// note remembers where a word and a pair of words are.
func (v *DeepValues) note(at int, h, g uint64) {
	v.one[h] = uint32(at + 1)
	v.before[at], v.two[g] = v.two[g], uint32(at+1)
}

func (v *DeepValues) hash(word, next uint64) uint64 {
	const prime1, prime2 = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f
	return (word*prime1 ^ next*prime2>>7) * prime2 >> (v.shift & 63)
}
