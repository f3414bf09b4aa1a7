package lz77

import "github.com/seed03b80dae/blosc2/codecs/internal/mem"

// These constants describe the samples that show whether whole values repeat in an input.
const (
	judgedWords = 4096 // words at the beginning of the input
	judgedParts = 512  // the last judgedParts of these words are examined for what their parts have in common
	glanceTo    = 1024 // the glanceWords before glanceTo are examined in the same way before anything is searched
	glanceWords = 128
	seenBits    = 12
)

// A judgement estimates from the beginning of the input whether looking for whole
// values pays.
type judgement struct {
	since, until  int // the range of words that are examined
	looked, found int
}

func (j *judgement) reset(words int) {
	*j = judgement{until: min(words, judgedWords)}
	j.since = glanceTo * ((j.until/2 + glanceTo/2) / glanceTo) // before this, too few words precede that could repeat
}

// Runs reports whether src, of at least LeastWords words, seems to consist of long runs of a
// word. A fast search by bytes finds these sooner.
func Runs(src []byte) bool {
	again := 0 // words like the one before
	for i := glanceTo - glanceWords + 1; i < glanceTo; i++ {
		if mem.Load64(src, i*ValueSize) == mem.Load64(src, (i-1)*ValueSize) {
			again++
		}
	}
	return 8*again >= 7*glanceWords
}

// Promising reports whether src, of at least LeastWords words, may consist of values that
// repeat, judging by its first words: whether these differ in all their parts, and some of
// them repeat so soon. Most other inputs need not be searched for values at all. It ends the
// current input.
func (v *Values[P]) Promising(src []byte, window int) bool {
	if _, ok := differ(src, glanceTo-glanceWords, glanceTo, 1, 2); !ok {
		return false
	}
	n := len(v.Repeats)
	v.Reset(n, 11, 11)
	v.Scan(v.Repeats[:], src, 0, window)
	return 4*count(v.Repeats[n/2:]) >= n/2
}

// Suits reports after each Scan, of as many words as Repeats holds, whether to continue. This
// pays if most words occurred before, if at least half of the distinct ones did, and if words
// that differ do so in all their parts. If a word repeats only until another one follows, as in
// records of a slow process, or parts repeat without the rest, as in decimal fractions and in
// small numbers, a search by bytes finds more.
func (v *Values[P]) Suits(src []byte, from int, repeats []Repeat) bool {
	j := &v.judged
	to := from + len(repeats)
	if to == j.since { // most inputs that do not suit are found here, in half the time
		last := repeats[len(repeats)/2:]
		_, ok := differ(src, to-glanceWords, to, 1, 2)
		return ok && 2*count(last) >= len(last)
	}
	if to <= j.since || from >= j.until {
		return true
	}
	j.found += count(repeats)
	j.looked += len(repeats)
	if to < j.until {
		return true
	}
	first := max(to-judgedParts, j.since)
	distinct, ok := differ(src, first, to, 7, 8)
	fresh := (j.looked - j.found) * (to - first) / j.looked // how many of these words did not occur before
	return ok && 8*j.found >= 5*j.looked && distinct >= 2*fresh
}

// count returns the number of words that repeat.
func count(repeats []Repeat) int {
	n := 0
	for _, r := range repeats {
		n += min(r.Words(), 1)
	}
	return n
}

// differ reports whether words that differ also differ in their low, middle and high
// halves: whether each of these has at least num/den times as many distinct values as the
// words from one number to another. It also returns the number of distinct words.
func differ(src []byte, from, to, num, den int) (words int, ok bool) {
	var seen [4][1 << seenBits / 64]uint64
	var distinct [4]int
	for i := from; i < to; i++ {
		word := mem.Load64(src, i*ValueSize)
		for k, part := range [4]uint64{word, word << 32, word >> 16 << 32, word >> 32 << 32} {
			h := part * prime1 >> (64 - seenBits)
			seen, bit := &seen[k][h/64], h%64 // without branches, half of which would be mispredicted
			distinct[k] += int(^*seen >> bit & 1)
			*seen |= 1 << bit
		}
	}
	least := distinct[0] * num / den
	return distinct[0], distinct[1] >= least && distinct[2] >= least && distinct[3] >= least
}

// Judge reports the same as Suits, for an input that is not scanned otherwise. It ends
// the current input.
func (v *Values[P]) Judge(src []byte, words, window int) bool {
	if !v.Promising(src, window) {
		return false
	}
	v.Reset(words, 13, 14)
	for from := 0; from < v.judged.until; from += len(v.Repeats) {
		repeats := v.Repeats[:min(len(v.Repeats), v.judged.until-from)]
		v.Scan(repeats, src, from, window)
		if !v.Suits(src, from, repeats) {
			return false
		}
	}
	return true
}
