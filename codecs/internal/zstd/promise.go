package zstd

import "github.com/seed03b80dae/blosc2/codecs/internal/lz77"

// At levels 7 and 8 the search for the cheapest sequences takes more than twice as long as
// a lazy one, and for half of the data it saves only about a percent beyond it. So items
// that are not filtered are surveyed with a whole lazy search, and a trial on the end of a block
// shows whether the other search pays. docs/codecs.md 4.5 has the effect.
const (
	promiseSize  = 16 << 10 // bytes of the trial
	promiseShare = 96       // the search pays if it saves more than one in so many bits
	dullBlocks   = 4        // number of blocks after which the trial is repeated
	longMatches  = 16       // with this ratio or a higher one, the search takes no longer than the trial
)

// promises reports whether the search for the cheapest sequences of a part pays. The
// surveyed sequences take least bits.
func (e *Encoder) promises(src []byte, p part, surveyed []lz77.Seq, least uint64, s search) bool {
	o := &e.optimizer
	if o.dull > 1 {
		o.dull--
		o.omit()
		return false
	}
	if o.begun && o.dull == 0 || p.to-p.from < 2*promiseSize || least*longMatches < uint64(p.to-p.from)*8 {
		return true
	}
	// The trial begins after the match with which the last promiseSize bytes begin.
	state, at, n := e.state, p.from, 0
	for ; n < len(surveyed) && at < p.to-promiseSize; n++ {
		m := &surveyed[n]
		at += int(m.Literals + m.Length)
		state.literals = m.Literals
		state.match(m.Off)
	}
	if n == len(surveyed) {
		at = max(at, p.to-promiseSize)
	}
	if at > p.to-promiseSize/2 { // too little remains
		return true
	}
	tail := part{surveyed[n:], at, p.to}
	e.huffman.count(e.gather(src[p.from:p.to], surveyed))
	o.begin(src, p.from, p.to, &e.huffman.counts[0], s)
	defer o.end()
	if len(surveyed) > 0 {
		o.prices.learn(src[p.from:p.to], surveyed)
	}
	o.chain.Link(src, at)
	o.from, o.chain.Next = at, at
	with, without := e.bits(src, part{o.find(state, nil), at, p.to}), e.bits(src, tail)
	if with+with/promiseShare >= without {
		o.dull = dullBlocks
		o.omit()
		return false
	}
	// The part is searched again from its beginning, with tables that do not know its end.
	o.reset()
	o.omitted = p.from > 0
	return true
}
