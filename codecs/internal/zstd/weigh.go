package zstd

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// weigh returns the cheapest sequences for a part. For the first part of an input it
// searches as often as the effort says, with prices learnt from the previous round. For
// later parts one round is as good, because prices are known from the first part. With
// Survey, the first prices come from a survey.
//
// With Rows, the survey is a whole search, and the search for the cheapest sequences is
// made only where a trial shows that it pays (see promises).
//
// Prices that are learnt from the sequences that they lead to can remain wrong. If only
// the first byte of items changes, a second literal for each item is cheap as long as all
// items have it, although all of them would be cheaper without. So where a survey is about
// as good as the search, later parts are surveyed, too, and if the survey is better it
// sets the prices.
func (e *Encoder) weigh(src []byte, p part, effort lz77.Effort, s search) []lz77.Seq {
	block, o := src[p.from:p.to], &e.optimizer
	first := !o.begun
	if !s.tree && !effort.Survey && len(block) >= leastNoise {
		return e.weighPlane(src, p, s)
	}
	looks := s.tree || effort.Survey && (first || o.near || o.dull > 0)
	var surveyed, seqs []lz77.Seq
	var least uint64 // bits with the surveyed sequences
	if looks {
		surveyed = e.survey(src, p, effort)
		if len(surveyed) == 0 && s.tree && flat(block) && !e.repeatsThree(block) {
			return nil // building a tree takes long
		}
		looked := part{surveyed, p.from, p.to}
		least = e.bits(src, looked)
		if first || !s.tree || o.vain {
			none := least
			if len(surveyed) > 0 {
				none = e.bits(src, part{nil, p.from, p.to})
			}
			if (!s.tree || !first && o.vain) && e.noise(src, looked, least, none) {
				o.omit()
				o.near = true
				if none <= least {
					return nil
				}
				return surveyed
			}
			if effort.Rows > 0 && !e.promises(src, looked, least, s) {
				return surveyed
			}
			if first = !o.begun; first && effort.Survey && pays(least, none) {
				seqs = surveyed
			}
		}
	}
	rounds := 1
	if first {
		rounds = effort.Weigh
		known := seqs
		if len(known) == 0 && !looks {
			known = e.runs(block)
		}
		e.huffman.count(e.gather(block, known))
	}
	o.begin(src, p.from, p.to, &e.huffman.counts[0], s)
	defer o.end()
	if rounds == 1 && len(seqs) > 0 {
		o.prices.learn(block, seqs)
		seqs = nil
	}
	if first && s.tree && effort.Lone {
		seqs = e.tryLone(src, p, seqs, rounds)
	} else {
		seqs = o.repeat(e.state, seqs, rounds)
	}
	if !looks {
		return seqs
	}
	bits := e.bits(src, part{seqs, p.from, p.to})
	o.near, o.vain = least <= bits+bits/nearShare, least <= bits+bits/vainShare
	if bits <= least {
		return seqs
	}
	if s.tree { // it keeps the matches of a block
		if seqs = o.find(e.state, surveyed); e.bits(src, part{seqs, p.from, p.to}) <= least {
			return seqs
		}
	}
	o.prices.set(block, surveyed)
	return surveyed
}

// tryLone searches as often as rounds says, and then once for sequences that follow one
// literal (lz77.Lone). If these take less space, it returns them, and later parts are
// searched in the same way. Both kinds of prices keep themselves: sound takes 3 to 6 % less
// space with the latter, and text, where many matches follow others directly, 1 to 2 % more.
func (e *Encoder) tryLone(src []byte, p part, first []lz77.Seq, rounds int) []lz77.Seq {
	o := &e.optimizer
	e.kept = append(e.kept[:0], o.repeat(e.state, first, rounds)...) // the next search overwrites its sequences
	o.lone = true
	seqs := o.repeat(e.state, e.kept, 1)
	if e.bits(src, part{seqs, p.from, p.to}) < e.bits(src, part{e.kept, p.from, p.to}) {
		return seqs
	}
	o.lone = false
	o.prices.set(src[p.from:p.to], e.kept)
	return e.kept
}

// A survey is about as good as a search if it takes at most 1/nearShare more. A search of
// noise in the tree was in vain if it saved at most 1/vainShare: then later parts that are
// noise, too, are not searched. tennis_rank_c4.i4 has parts in which only the tree finds what
// saves a quarter, although to a survey they look like noise.
const (
	nearShare = 32
	vainShare = 128
)

// survey returns the sequences of a lazy search, which shows whether there are matches,
// what they cost, and which bytes are literals. An input is searched with one kind of
// table only, so that there cannot be another search beside it.
func (e *Encoder) survey(src []byte, p part, effort lz77.Effort) []lz77.Seq {
	repeats := e.finder.Repeats()
	defer e.finder.SetRepeats(repeats)
	look := short
	if effort.Rows > 0 {
		look = lz77.Effort{Rows: effort.Rows, Far: effort.Far, Lazy: effort.Lazy, Trials: effort.Trials}
	}
	return e.findBytes(src, p.from, p.to, look)
}

// short is the search of a survey, unless the effort has a longer one.
var short = lz77.Effort{Rows: 8, Lazy: 1, Trials: true}

// A survey shows nothing of use if it does not save a share of 1/surveyShare.
const surveyShare = 64

// pays reports whether a part takes clearly less space with sequences than without. Both
// numbers are bits.
func pays(with, without uint64) bool { return with+with/surveyShare <= without }

// Bytes that a survey takes for noise may still repeat three at a time, because a survey looks
// for four: where a counter alternates with noise, each pair of its values and what is between
// them returns after some hundred bytes. Of random bytes one position in 2048 of the sample
// repeats three, and a tree is worth its time from one in repeatsShare on: btc_blocks_c2.i8 takes
// 0.98 of the space with it.
const (
	repeatsBits   = 14
	repeatsSample = 16 << 10
	repeatsShare  = 128
)

// repeatsThree reports whether many positions of a block repeat three bytes.
func (e *Encoder) repeatsThree(block []byte) bool {
	e.threes = room.Zeros(e.threes, 1<<repeatsBits)
	n, count := min(len(block)-lastMatch, repeatsSample), 0
	for i := range n {
		word := mem.Load32(block, i)
		last := &e.threes[uint64(word)*hash3Key>>(64-repeatsBits)]
		if at := int(*last); at < i && (mem.Load32(block, at)^word)<<8 == 0 {
			count++
		}
		*last = uint16(i)
	}
	return count > n/repeatsShare
}
