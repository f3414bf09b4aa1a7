package zstd

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// An optimizer chooses the matches that cover a block at the lowest cost of their
// sequences, as zstd's highest levels do.
type optimizer struct {
	prices prices
	chain  lz77.Chain[uint32]
	tree   tree
	parser lz77.Parser

	src      []byte
	from, to int
	depth    int  // positions of the chain to compare
	thorough bool // with the tree instead
	found    []lz77.Candidate
	states   [2 * longEnough]state // of the last positions; a match from farther back begins at the last of them
}

// A state holds what determines the price of a match.
type state struct {
	literals uint32    // before it
	rep      [2]uint32 // distances that may be repeated
}

const (
	leastMatch = 3   // the format's shortest (RFC 8878, 3.1.1.3.2.1.1)
	longEnough = 128 // a longer match is taken immediately
	halfBit    = 128 // in the units of prices
	lastMatch  = 8   // no match begins in the last bytes
)

// reset begins a new input.
func (o *optimizer) reset() { o.tree.begun = false }

// end releases the block.
func (o *optimizer) end() { o.src = nil }

// begin begins the block src[from:to]. At each position find compares up to depth
// others: those of the tree if thorough is true, otherwise those of the chain.
func (o *optimizer) begin(src []byte, from, to, depth int, thorough bool) {
	o.src, o.from, o.to, o.depth, o.thorough = src, from, to, depth, thorough
	if thorough {
		o.tree.begin(src, from, to, depth)
	} else {
		o.chain.Reset(len(src), len(src)+1, lz77.KeyOf4, hashBits)
		o.chain.Link(src, from)
	}
}

// find returns the cheapest sequences of the block. Prices are learnt from first,
// earlier sequences of the same block, or none. rep holds the repeated distances, before
// and after the call. The result is valid until the next call.
func (o *optimizer) find(rep *[2]int, first []lz77.Seq) []lz77.Seq {
	from, to := o.from, o.to
	o.prices.set(o.src[from:to], first)
	s := state{rep: [2]uint32{uint32(rep[0]), uint32(rep[1])}}
	o.states[uint(from-1)%uint(len(o.states))] = state{^uint32(0), s.rep} // a literal before from
	seqs, _ := o.parser.Parse(o, from, to, &lz77.Costs{Lengths: o.prices.length[:], Least: leastMatch, Margin: halfBit})
	for i := range seqs {
		s.literals = seqs[i].Literals
		s.match(seqs[i].Off)
	}
	*rep = [2]int{int(s.rep[0]), int(s.rep[1])}
	return seqs
}

// Seek implements lz77.Matcher.
func (o *optimizer) Seek(ip int, length, off uint32) (at int, literal uint32, matches []lz77.Candidate) {
	s := *o.enter(ip, length, off)
	for ip < o.to-lastMatch {
		if o.candidates(ip, &s); len(o.found) > 0 {
			o.states[uint(ip)%uint(len(o.states))] = s
			return ip, o.prices.one(o.src[ip], s.literals), o.found
		}
		n := uint32(1)
		if !o.thorough { // the tree has found all matches already
			n += s.literals >> 8
		}
		ip += int(n)
		s.literals += n
	}
	return ip, 0, nil
}

// At implements lz77.Matcher.
func (o *optimizer) At(ip int, length, off uint32, good bool) (literal uint32, matches []lz77.Candidate) {
	s := o.enter(ip, length, off)
	if good && ip < o.to-lastMatch {
		o.candidates(ip, s)
		matches = o.found
	}
	return o.prices.one(o.src[ip], s.literals), matches
}

// enter records the state at ip, where a match of length and off, or a literal,
// ends.
func (o *optimizer) enter(ip int, length, off uint32) *state {
	s, before := &o.states[uint(ip)%uint(len(o.states))], &o.states[uint(ip-int(max(length, 1)))%uint(len(o.states))]
	if *s = *before; length > 0 {
		s.match(off)
	} else {
		s.literals++
	}
	return s
}

// candidates finds the matches at ip, each longer than the previous one: first
// those at repeated distances, then others, the nearest first.
func (o *optimizer) candidates(ip int, s *state) {
	o.found = o.found[:0]
	if s.literals > 0 {
		o.repeated(ip, s.rep[0], 1)
		o.repeated(ip, s.rep[1], 2)
	} else {
		o.repeated(ip, s.rep[1], 1)
	}
	best := leastMatch - 1
	if n := len(o.found); n > 0 {
		best = int(o.found[n-1].Length)
	}
	if o.thorough {
		for _, m := range o.tree.at(o.src, ip, o.to) {
			l := int(m.length)
			if l > longEnough {
				l = lz77.CommonPrefix(o.src, ip, ip-int(m.distance), o.to)
			}
			if l > best {
				o.add(l, m.distance+lz77.RepeatCodes)
			}
		}
		return
	}
	best = max(best, lz77.MinMatch-1)
	src, to, c := o.src, o.to, &o.chain
	if c.Next < ip {
		c.Link(src, ip)
	}
	word := mem.Load32(src, ip)
	place := int(c.Enter(uint64(word), ip)) // plus one
	c.Next = ip + 1
	before, _ := c.Before()
	for depth := o.depth; depth > 0 && place > 0 && ip+best < to; depth-- {
		if mem.Load32(src, place-1+best-3) == mem.Load32(src, ip+best-3) && mem.Load32(src, place-1) == word {
			if l := lz77.CommonPrefix(src, ip, place-1, to); l > best {
				best = l
				o.add(l, uint32(ip+1-place+lz77.RepeatCodes))
				if l > longEnough {
					break
				}
			}
		}
		place = int(mem.Index(before, place))
	}
}

// repeated checks the repeated distance with code off.
func (o *optimizer) repeated(ip int, distance, off uint32) {
	d := int(distance)
	if d == 0 || d > ip || (mem.Load32(o.src, ip-d)^mem.Load32(o.src, ip))<<8 != 0 {
		return
	}
	n := len(o.found)
	if l := lz77.CommonPrefix(o.src, ip, ip-d, o.to); n == 0 || l > int(o.found[n-1].Length) {
		o.add(l, off)
	}
}

func (o *optimizer) add(length int, off uint32) {
	o.found = append(o.found, lz77.Candidate{Length: uint32(length), Off: off, Price: o.prices.off(off) + o.prices.run(0)})
}

// match records a match.
func (s *state) match(off uint32) {
	switch {
	case off > lz77.RepeatCodes:
		s.rep = [2]uint32{off - lz77.RepeatCodes, s.rep[0]}
	case off == 2 || s.literals == 0:
		s.rep = [2]uint32{s.rep[1], s.rep[0]}
	}
	s.literals = 0
}
