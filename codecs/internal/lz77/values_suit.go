package lz77

import "github.com/seed03b80dae/blosc2/codecs/internal/mem"

// These constants describe the sample that shows whether whole values repeat in an input.
const (
	judgedWords = 4096 // words at the beginning of the input
	judgedParts = 512  // the last judgedParts of these words are examined for what their parts have in common
	seenBits    = 15
)

// A judgement estimates from the beginning of the input whether looking for whole
// values pays.
type judgement struct {
	since, until  int // the range of words that are examined
	parts         int // the first word of which the parts are examined
	looked, found int
	distinct      [4]int // numbers of distinct words, and of distinct low, middle and high halves
	seen          [4][1 << seenBits / 64]uint64
}

func (j *judgement) reset(words int) {
	*j = judgement{until: min(words, judgedWords)}
	j.since = j.until / 2 // before this, too few words precede that could repeat
	j.parts = max(j.until-judgedParts, j.since)
}

// Suits reports after each Scan whether to continue: this pays if most words occurred
// before and new words differ in all their parts. If parts repeat without the rest, as in
// decimal fractions and in small numbers, a search by bytes finds more.
func (v *Values[P]) Suits(src []byte, from int, repeats []Repeat) bool {
	j := &v.judged
	to := from + len(repeats)
	if to <= j.since || from >= j.until {
		return true
	}
	for _, r := range repeats[max(j.since-from, 0):] {
		j.found += min(r.Words(), 1)
		j.looked++
	}
	for i := max(from, j.parts); i < to; i++ {
		j.note(mem.Load64(src, i*ValueSize))
	}
	if to < j.until {
		return true
	}
	least := j.distinct[0] * 7 / 8
	return 8*j.found >= 5*j.looked && j.distinct[1] >= least && j.distinct[2] >= least && j.distinct[3] >= least
}

// note counts the new parts of a word.
func (j *judgement) note(word uint64) {
	for k, part := range [4]uint64{word, word << 32, word >> 16 << 32, word >> 32 << 32} {
		h := part * 0x9e3779b185ebca87 >> (64 - seenBits)
		seen, bit := &j.seen[k][h/64], uint64(1)<<(h%64)
		if *seen&bit == 0 {
			*seen |= bit
			j.distinct[k]++
		}
	}
}

// Judge reports the same as Suits, for an input that is not scanned otherwise. It ends
// the current input.
func (v *Values[P]) Judge(src []byte, words, window int) bool {
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
