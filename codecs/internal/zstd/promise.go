package zstd

// At levels 7 and 8 the search for the cheapest sequences takes more than twice as long as
// a lazy one, and for half of the data it saves only about a percent beyond it. So items
// that are not filtered are surveyed with a whole lazy search, and a trial on the end of a block
// shows whether the other search pays. docs/codecs.md 4.5 has the effect.
const (
	promiseSize = 16 << 10 // bytes of the trial
	dullBlocks  = 4        // number of blocks after which the trial is repeated
	longMatches = 16       // with this ratio or a higher one, the search takes no longer than the trial
)

// promises reports whether the search for the cheapest sequences of a part pays. The
// surveyed ones, those of p, take least bits.
func (e *Encoder) promises(src []byte, p part, least uint64, s search) bool {
	o := &e.optimizer
	if o.dull > 1 {
		o.dull--
		o.omit()
		return false
	}
	if s.saving == 0 || o.begun && o.dull == 0 || p.to-p.from < 2*promiseSize || least*longMatches < uint64(p.to-p.from)*8 {
		return true
	}
	// The trial begins after the match with which the last promiseSize bytes begin.
	n := 0
	for at := p.from; n < len(p.seqs) && at < p.to-promiseSize; n++ {
		at += int(p.seqs[n].Literals + p.seqs[n].Length)
	}
	head, tail := p.cut(n)
	if len(tail.seqs) == 0 {
		tail.from = max(tail.from, p.to-promiseSize)
	}
	if tail.from > p.to-promiseSize/2 { // too little remains
		return true
	}
	_, state := head.follow(e.state, e.state)
	e.huffman.count(e.gather(src[p.from:p.to], p.seqs))
	o.begin(src, p.from, p.to, &e.huffman.counts[0], s)
	defer o.end()
	if len(p.seqs) > 0 {
		o.prices.learn(src[p.from:p.to], p.seqs)
	}
	o.chain.Link(src, tail.from)
	o.from, o.chain.Next = tail.from, tail.from
	with, without := e.bits(src, part{o.find(state, nil), tail.from, p.to}), e.bits(src, tail)
	if with+with/s.saving >= without {
		o.dull = dullBlocks
		o.omit()
		return false
	}
	// The part is searched again from its beginning, with tables that do not know its end.
	o.reset()
	o.omitted = p.from > 0
	return true
}
