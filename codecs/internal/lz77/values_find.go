package lz77

import "math/bits"

// valueSearch holds what a Finder needs to look for whole values.
type valueSearch struct {
	values   *Values[uint32]
	deep     *DeepValues
	ofValues bool // the input so far consists of values that repeat
}

// valuesWindow is the largest distance in words that fits in the bits of a Repeat.
const valuesWindow = 1<<(32-repeatBits) - 1

// These are the largest sizes of the tables, as powers of two. There are fewer distinct
// words than distinct pairs, whose table is as large as the second-level cache allows.
// Those of a short input are smaller, because clearing them takes time.
const valueBits, pairBits = 14, 17

// FindValues is Find for whole values that repeat. It reports whether src[from:to]
// consists of these, which may become apparent during the search; otherwise the caller
// calls FindBytes.
func (f *Finder) FindValues(src []byte, from, to int, e Effort) (seqs []Seq, ok bool) {
	if from == 0 {
		f.ofValues = e.Values && f.beginValues(src, e)
	}
	if !f.ofValues {
		return nil, false
	}
	f.seqs = f.seqs[:0]
	rep := f.rep
	begin := (from + ValueSize - 1) / ValueSize
	end := min(to/ValueSize, len(src)/ValueSize-3)
	unlike := 0
	if e.ValueDepth > 0 {
		unlike = f.deepValues(src, from, begin, end, e.ValueDepth)
	} else {
		unlike = f.fastValues(src, from, begin, end, e.FastDecode)
	}
	f.ofValues = unlike >= 0 && 3*unlike <= end-begin
	if unlike < 0 || from == 0 && !f.ofValues {
		f.rep = rep // the matches found so far are not used
		return nil, false
	}
	return f.seqs, true
}

// leastFast is the smallest number of bytes in which a fast search looks for values: in a
// shorter input it takes up to half of the time to find that there are none.
const leastFast = 96 << 10

// beginValues prepares for src, if it may consist of values that repeat.
func (f *Finder) beginValues(src []byte, e Effort) bool {
	words := len(src)/ValueSize - 3
	if words < LeastWords || e.ValueDepth == 0 && len(src) < leastFast {
		return false
	}
	runs, thorough := Runs(src), e.Weigh > 1
	if runs && (e.ValueDepth == 0 || thorough) { // a fast search by bytes finds runs sooner, a thorough one better
		return false
	}
	if f.values == nil {
		f.values = new(Values[uint32])
	}
	if e.ValueDepth == 0 {
		if !f.values.Promising(src, valuesWindow) {
			return false
		}
		size := uint(bits.Len(uint(words)))
		f.values.Reset(words, min(size+1, valueBits), min(size+2, pairBits))
		return true
	}
	if !runs && !f.values.Judge(src, words, valuesWindow) {
		return false
	}
	if f.deep == nil {
		f.deep = new(DeepValues)
	}
	f.deep.Reset(words)
	return true
}

// fastValues looks up each word once, and returns the number of words that are not
// repeated, or -1 if the input is found not to consist of values. fastDecode is the
// field of Effort.
func (f *Finder) fastValues(src []byte, anchor, begin, end int, fastDecode bool) (unlike int) {
	v, i := f.values, begin
	var rare rarity
	for base := begin; base < end; base += len(v.Repeats) {
		repeats := v.Repeats[:min(len(v.Repeats), end-base)]
		v.Scan(repeats, src, base, valuesWindow)
		if !v.Suits(src, base, repeats) {
			return -1
		}
		if fastDecode {
			rare.next(len(f.seqs))
		}
		var more int
		anchor, i, more = f.addRepeats(src, repeats, base, anchor, i, end, &rare)
		unlike += more
	}
	return unlike
}

// zstdPrice is the approximate cost of zstd's sequences in bits.
var zstdPrice = Price{Literal: 60, Match: 9, Bit: 1, Long: 1}

// deepValues compares several positions for each word.
func (f *Finder) deepValues(src []byte, anchor, begin, end, depth int) (unlike int) {
	at := begin
	for _, s := range f.deep.Parse(src, begin, end, valuesWindow, depth, zstdPrice) {
		at += int(s.Literals)
		f.addValues(src, anchor, at, int(s.Off), int(s.Length))
		unlike += int(s.Literals)
		at += int(s.Length)
		anchor = at * ValueSize
	}
	return unlike + end - at
}

// addValues adds the match of n words at word i, with the given distance in words. anchor
// is the position of the first byte of the literals before the match.
func (f *Finder) addValues(src []byte, anchor, i, distance, n int) {
	literals, length := i*ValueSize-anchor, n*ValueSize
	if literals >= ValueSize {
		more := Backward(src, i, distance)
		literals -= more
		length += more
	}
	distance *= ValueSize
	off := distance + RepeatCodes
	switch {
	case distance == f.rep[0] && literals > 0:
		off = 1
	case distance == f.rep[1] && literals == 0:
		off = 1
		f.rep = [2]int{distance, f.rep[0]}
	default:
		f.rep = [2]int{distance, f.rep[0]}
	}
	f.seqs = append(f.seqs, Seq{uint32(literals), uint32(length), uint32(off)})
}

// A rarity counts the kinds of sequences that are rare in a part of the input. A decoder
// mispredicts rare kinds, which costs as much as two or three sequences, and more kinds
// require larger tables. Kinds that are not rare save too much to be dropped.
type rarity struct {
	before               int // number of sequences in the previous parts
	repeats, longs, ends int // number of sequences of each kind since
	repeat, long, end    bool
}

// next begins another part, after the given number of sequences.
func (r *rarity) next(seqs int) {
	n := seqs - r.before
	*r = rarity{before: seqs, repeat: 16*r.repeats < n, long: 16*r.longs < n, end: 16*r.ends < n}
}

// Matches of up to longWords words are cut to shortWords, which a decoder copies
// without checking the length.
const (
	shortWords = 4
	longWords  = 8
)

// addRepeats adds the repeats of a part of the input, beginning with word i. It drops
// rare kinds: repeated distances, long matches, and matches that begin within a word.
func (f *Finder) addRepeats(src []byte, repeats []Repeat, base, anchor, i, end int, rare *rarity) (newAnchor, next, unlike int) {
	seqs, rep := f.seqs, f.rep
	for stop := base + len(repeats); i < stop; {
		r := repeats[i-base]
		if r == 0 {
			unlike++
			i++
			continue
		}
		d := r.Distance()
		n := Length(src, i, d, r.Words(), end)
		if n > shortWords && n <= longWords {
			rare.longs++
			if rare.long {
				n = shortWords
			}
		}
		literals, distance := i*ValueSize-anchor, d*ValueSize
		off := distance + RepeatCodes
		again := rep[1]
		if literals > 0 {
			rare.ends++
			again = rep[0]
		}
		if distance == again {
			rare.repeats++
		}
		if literals > 0 && (!rare.end || distance == again && !rare.repeat) {
			f.seqs, f.rep = seqs, rep
			f.addValues(src, anchor, i, d, n)
			seqs, rep = f.seqs, f.rep
		} else {
			if distance == again && !rare.repeat {
				off = 1
			}
			// A distance that is not written as a repeated one becomes the last distance,
			// too.
			rep = [2]int{distance, rep[0]}
			seqs = append(seqs, Seq{uint32(literals), uint32(n * ValueSize), uint32(off)})
		}
		i += n
		anchor = i * ValueSize
	}
	f.seqs, f.rep = seqs, rep
	return anchor, i, unlike
}
