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

	// Of the part at hand: what it costs to come to each word, the words of the
	// last step there, none for a literal, and their distance.
	cost, length, distance []uint32
}

// A Price says what a codec's sequences cost, in bits or so.
type Price struct {
	Literal uint32 // a word
	Match   uint32 // whatever it is,
	Bit     uint32 // and for each bit of its distance in words,
	Long    uint32 // and from 3 words on
}

// PartWords is the most that Parse takes.
const PartWords = 1 << 14

// longStep is the words of a match that is taken at once.
const longStep = 64

// Reset begins a new input of so many words.
func (v *DeepValues) Reset(words int) {
	// A word that is lost costs more than memory: eight places for each.
	v.shift = 64 - min(max(uint(bits.Len(uint(words)))+3, 14), 18)
	v.one, v.two = cleared(v.one, 1<<(64-v.shift)), cleared(v.two, 1<<(64-v.shift))
	if cap(v.before) < words {
		v.before = make([]uint32, words)
	}
	v.before = v.before[:words]
	if v.cost == nil {
		all := make([]uint32, 3*(PartWords+1))
		v.cost, v.length, v.distance = all[:PartWords+1], all[PartWords+1:2*PartWords+2], all[2*PartWords+2:]
	}
}

// Parse covers the words from from to to, which follow what it covered before.
// Where a match begins it returns its length and its distance, in words, and
// for words that are part of none the length 0; what is at words within a match
// means nothing. Distances are at most window; depth places are compared. Both
// slices are good until the next call.
func (v *DeepValues) Parse(src []byte, from, to, window, depth int, p Price) (lengths, distances []uint32) {
	n := to - from
	cost := v.cost[:n+1]
	for i := range cost {
		cost[i] = 1 << 31
	}
	cost[0] = 0
	for i := 0; i < n; {
		here, at := cost[i], from+i
		if c := here + p.Literal; c < cost[i+1] {
			cost[i+1], v.length[i+1] = c, 0
		}
		word, next := mem.Load64(src, at*ValueSize), mem.Load64(src, (at+1)*ValueSize)
		h, g := v.hash(word, 0), v.hash(word, next)
		oldest, longest := max(0, at-window), 0
		if ref := int(v.one[h]) - 1; ref >= oldest && mem.Load64(src, ref*ValueSize) == word {
			longest = 1
			for at+longest < to && mem.Load64(src, (ref+longest)*ValueSize) == mem.Load64(src, (at+longest)*ValueSize) {
				longest++
			}
			v.weigh(i, 0, longest, at-ref, here, p)
		}
		ref := int(v.two[g]) - 1
		for k := depth; k > 0 && ref >= oldest && longest < longStep; k-- {
			if at+longest < to && mem.Load64(src, (ref+longest)*ValueSize) == mem.Load64(src, (at+longest)*ValueSize) &&
				mem.Load64(src, ref*ValueSize) == word {
				l := 1
				for at+l < to && mem.Load64(src, (ref+l)*ValueSize) == mem.Load64(src, (at+l)*ValueSize) {
					l++
				}
				if l > longest {
					v.weigh(i, longest, l, at-ref, here, p)
					longest = l
				}
			}
			ref = int(v.before[ref]) - 1
		}
		v.note(at, h, g)
		i++
		if longest < longStep {
			continue
		}
		for ; longest > 1; longest-- {
			at++
			word, next = next, mem.Load64(src, (at+1)*ValueSize)
			v.note(at, v.hash(word, 0), v.hash(word, next))
			i++
		}
	}
	// Back from the end: each step is noted where it begins.
	l, d := v.length[n], v.distance[n]
	for i := n; i > 0; {
		i -= int(max(l, 1))
		v.length[i], l = l, v.length[i]
		v.distance[i], d = d, v.distance[i]
	}
	return v.length[:n], v.distance[:n]
}

// note remembers where a word and a pair of words are.
func (v *DeepValues) note(at int, h, g uint64) {
	v.one[h] = uint32(at + 1)
	v.before[at], v.two[g] = v.two[g], uint32(at+1)
}

// weigh takes steps from word i of the part on, of the lengths above known up to
// l, where they are the cheapest way. As places farther back cost more, they are
// not looked at for lengths that are known.
func (v *DeepValues) weigh(i, known, l, distance int, price uint32, p Price) {
	price += p.Match + p.Bit*uint32(bits.Len(uint(distance)))
	for m := known + 1; m <= l; m++ {
		if m > longStep {
			m = l
		}
		c := price
		if m > 2 {
			c += p.Long
		}
		if c < v.cost[i+m] {
			v.cost[i+m], v.length[i+m], v.distance[i+m] = c, uint32(m), uint32(distance)
		}
	}
}

func (v *DeepValues) hash(word, next uint64) uint64 {
	const prime1, prime2 = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f
	return (word*prime1 ^ next*prime2>>7) * prime2 >> (v.shift & 63)
}
