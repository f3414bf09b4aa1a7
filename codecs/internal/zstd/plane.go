package zstd

import "github.com/seed03b80dae/blosc2/codecs/internal/lz77"

// In planes of items, levels 7 and 8 begin with a trial. The search for the cheapest sequences
// takes two to five times as long as a lazy one, and in most planes saves little. So both
// search the head of a part, and the better one continues. docs/codecs.md 4.5 has the effect.
const (
	headPart   = 8        // the head is this part of a part
	leastHead  = 8 << 10  // and at least so many bytes
	leastTried = 32 << 10 // in shorter parts a trial takes longer than it saves
)

// lazy is the search that is compared with that for the cheapest sequences.
var lazy = lz77.Effort{Rows: 16, Lazy: 2, Trials: true}

// weighPlane is weigh for a part of a plane, at levels 7 and 8.
func (e *Encoder) weighPlane(src []byte, p part, s search) []lz77.Seq {
	block, o, f := src[p.from:p.to], &e.optimizer, &e.finder
	repeats := f.Repeats()
	defer f.SetRepeats(repeats)
	size := max(len(block)/headPart, leastHead)
	head := part{from: p.from, to: p.from + size}
	var least uint64   // bits of the head with the sequences of the lazy search
	repeating := false // otherwise what repeats may be farther away than in the head
	trial, noisy := s.saving > 0 && len(block) >= leastTried, even(block, dense)
	if trial || noisy {
		f.Begin(p.from)
		head.seqs = e.findMore(src, head.from, head.to, lazy, block)
		var none uint64
		none, least = e.bitsOf(src, head)
		repeating = pays(least, none)
		if noisy && !repeating {
			look := lazy
			look.Literal = int(none << 8 / uint64(size)) // instead of trials
			all := part{f.FindMore(src, p.to, look), p.from, p.to}
			without, with := e.bitsOf(src, all)
			if e.noise(src, all, with, without) {
				o.omit()
				return nil
			}
		}
	}
	var runs []lz77.Seq
	if !o.begun {
		runs = e.runs(block)
	}
	e.huffman.count(e.gather(block, runs))
	o.begin(src, p.from, p.to, &e.huffman.counts[0], s)
	defer o.end()
	if !trial || !repeating {
		return o.find(e.state, nil)
	}
	o.to = head.to
	head.seqs = append(e.kept[:0], o.find(e.state, nil)...)
	bits := e.bits(src, head)
	if bits+max(bits, uint64(size))/s.saving > least {
		o.withdraw()
		return e.findMore(src, head.to, p.to, lazy, block)
	}
	_, state := head.follow(e.state, e.state)
	state.literals = head.last()
	o.learn(head.to)
	o.from, o.to = head.to, p.to
	rest := o.find(state, nil)
	if len(rest) > 0 {
		rest[0].Literals += state.literals
	}
	e.kept = append(head.seqs, rest...)
	return e.kept
}

// bitsOf returns the bits of a part without and with its sequences.
func (e *Encoder) bitsOf(src []byte, p part) (without, with uint64) {
	if block := src[p.from:p.to]; len(p.seqs) == 0 && flat(block) {
		without = uint64(len(block)) * 8
	} else {
		without = e.bits(src, part{nil, p.from, p.to})
	}
	if with = without; len(p.seqs) > 0 {
		with = e.bits(src, p)
	}
	return without, with
}
