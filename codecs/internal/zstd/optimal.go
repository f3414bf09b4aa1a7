package zstd

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// An optimizer chooses the matches that cover a block at the lowest cost of their
// sequences, as zstd's highest levels do.
type optimizer struct {
	prices prices
	chain  lz77.Chain[uint32]
	long   lz77.LongTable
	ahead  uint32 // see candidates
	tree   tree
	parser lz77.Parser

	begun   bool // a block of the input was searched, and prices were learnt from it
	chained bool // the chain holds positions of the input
	first   bool // no block was searched before the current one
	omitted bool // the last block was not searched, see omit
	near    bool // the last survey was about as good as the search
	vain    bool // the last search saved hardly anything beyond the survey
	dull    int  // number of blocks until the next trial, 0 if the last one did not fail: see promises
	lone    bool // prices are those of sequences that follow one literal, see lz77.Lone

	src      []byte
	from, to int
	search
	found  []lz77.Candidate
	places [2 * longEnough]place // the last positions, indexed by the position modulo the length

	learning    bool
	costs       lz77.Costs // of the current search
	known, seqs int        // bytes and sequences from which prices were learnt
	learnAt     int        // the position at which prices are learnt again
}

// A search holds the parameters of an optimizer: where it looks for matches, and which it
// takes. Prices are in 256ths of a bit.
type search struct {
	depth    int    // positions to compare
	nice     int    // a longer match is taken immediately; at most longEnough
	tree     bool   // positions are searched in the tree, not in the chain
	skip     uint   // steps grow by one for each 1<<skip bytes without a match
	margin   uint32 // the Margin of lz77.Costs
	sequence uint32 // the price of a sequence in addition to its bits, for the time of decoding it
	saving   uint64 // see lz77.Effort
	cut      uint64 // the bits that cutting a block must save, for the time of decoding tables
}

// newSearch returns the search of an effort. The effect of other numbers is in
// docs/codecs.md, section 6.
func newSearch(effort lz77.Effort) search {
	s := search{depth: effort.Depth, nice: min(effort.Nice, longEnough), saving: uint64(effort.Saving)}
	if effort.Weigh > 1 {
		s.tree, s.skip, s.margin, s.sequence, s.cut = true, 31, 128, 64, 500
	} else {
		s.skip, s.margin, s.sequence, s.cut = 5, 1024, 512, 1700
	}
	return s
}

// A state holds what determines the price of a match.
type state struct {
	literals uint32    // number of literals before the position
	rep      [3]uint32 // distances that can be repeated
}

// A place is the state of the cheapest path to a position. Most positions are within a match
// and need only the number of literals, so rep is computed when it is needed.
type place struct {
	state
	off   uint32 // if not 0, rep is not computed: the path ends with a match of this code, and literals
	start uint32 // where that match begins; rep is known there
}

const (
	leastMatch = 3       // the shortest match of the format (RFC 8878, 3.1.1.3.2.1.1)
	longEnough = 1 << 10 // the longest match that is weighed
	lastMatch  = 8       // no match begins in the last 8 bytes
)

// reset begins a new input.
func (o *optimizer) reset() {
	o.begun, o.chained, o.omitted, o.vain, o.lone, o.tree.begun = false, false, false, false, false, false
	o.near, o.dull = false, 0
}

// omit is called instead of begin for a block that is not searched. Its positions are entered
// when a later block is, because that may repeat it.
func (o *optimizer) omit() { o.omitted = true }

// withdraw is called after begin if the block is not searched to its end. The next one may be
// of another kind, so it has prices and a key of its own.
func (o *optimizer) withdraw() {
	if o.first {
		o.begun, o.chain.Next = false, o.from
	}
	o.omit()
}

// end drops the references to the block.
func (o *optimizer) end() { o.src = nil }

// begin begins the block src[from:to]. For the first block of an input, counts says how
// often bytes occur as literals.
func (o *optimizer) begin(src []byte, from, to int, counts *[256]uint32, s search) {
	o.src, o.from, o.to, o.search = src, from, to, s
	o.first = !o.begun
	if o.begun {
		o.prices.age(agedCount)
	} else {
		o.prices.guess(counts)
	}
	o.begun = true
	switch {
	case s.tree:
		o.tree.begin(src, from, to, s.depth)
	case !o.chained:
		o.chained = true
		o.chain.Reset(len(src), len(src)+1, lz77.KeyOf(worthwhile(counts)), hashSize(len(src)))
		o.long.Reset(hashSize(len(src)))
	case o.first:
		o.chain.SetKey(lz77.KeyOf(worthwhile(counts)))
	}
	if o.omitted && !s.tree {
		o.chain.Link(src, from)
		o.chain.Next = from
	}
	o.omitted = false
}

// hashSize returns the bits of a hash for an input of n bytes.
func hashSize(n int) uint { return uint(min(max(bits.Len(uint(n)), 12), hashBits)) }

// hashBits is the largest size of a hash table, in bits.
const hashBits = 18

// longestStep is the longest step of a search through bytes without a match. It ends soon
// after the first bytes that repeat, such as the high bits that follow the noisy low bits
// in a bitshuffled block.
const longestStep = 64

// worthwhile returns the shortest length at which matches take less space than literals,
// where literals have these counts. The chain does not find shorter matches: where bytes
// differ little, short repetitions would hide the long ones.
func worthwhile(counts *[256]uint32) int {
	n, literals := uint64(sum(counts[:])), max(entropy(counts[:]), 1)
	return min(max(int((matchCost*n+literals-1)/literals), lz77.MinMatch), 8)
}

// matchCost is the approximate number of bits of the sequence of a match.
const matchCost = 20

// find returns the cheapest sequences of the block. Prices are learnt from first, which
// holds earlier sequences of the same block. If first is empty, they are learnt from the
// sequences that find finds, during the search. s holds the distances to repeat. The
// result is valid until the next call.
func (o *optimizer) find(s state, first []lz77.Seq) []lz77.Seq {
	from, to := o.from, o.to
	if o.learning = len(first) == 0; o.learning {
		o.known, o.seqs, o.learnAt = from, 0, from+learnEvery
	} else {
		o.prices.set(o.src[from:to], first)
	}
	s.literals-- // enter counts a literal before from
	*o.at(from - 1) = place{state: s}
	o.costs = lz77.Costs{Lengths: o.prices.length[:o.nice+1], Least: leastMatch, Margin: o.margin}
	if o.lone {
		o.costs.Lone = o
	}
	seqs, _ := o.parser.Parse(o, from, to, &o.costs)
	return seqs
}

// Where sequences cover sparse bytes or more on average, longer matches are weighed, too:
// then most of what there is to save is in how they end, and there are few of them.
const sparse = 64

// repeat finds sequences as often as rounds says, and returns the last ones.
func (o *optimizer) repeat(s state, first []lz77.Seq, rounds int) (seqs []lz77.Seq) {
	for seqs = first; rounds > 0; rounds-- {
		seqs = o.find(s, seqs)
	}
	return seqs
}

// learnEvery is the number of bytes after which prices are learnt from new sequences.
const learnEvery = 8 << 10

// learn updates prices with the new sequences before ip.
func (o *optimizer) learn(ip int) {
	seqs := o.parser.Seqs()[o.seqs:]
	o.known += o.prices.add(o.src[o.known:], seqs)
	o.prices.update()
	o.seqs += len(seqs)
	o.learnAt = ip + learnEvery
	o.costs.Lengths = o.prices.length[:o.nice+1]
	if ip-o.from >= sparse*o.seqs {
		o.costs.Lengths = o.prices.length[:]
	}
}

// Seek implements lz77.Matcher.
func (o *optimizer) Seek(ip int, last lz77.Step) (at int, literal uint32, matches []lz77.Candidate) {
	s := *o.stateAt(o.enter(ip, last))
	if o.learning && ip >= o.learnAt {
		o.learn(ip)
	}
	for ip < o.to-lastMatch {
		if o.candidates(ip, &s); len(o.found) > 0 {
			*o.at(ip) = place{state: s}
			return ip, o.prices.one(o.src[ip], s.literals), o.found
		}
		n := min(1+s.literals>>o.skip, longestStep)
		ip += int(n)
		s.literals += n
	}
	return ip, 0, nil
}

// At implements lz77.Matcher.
func (o *optimizer) At(ip int, last lz77.Step, good bool) (literal uint32, matches []lz77.Candidate) {
	p := o.enter(ip, last)
	if good && ip < o.to-lastMatch {
		o.candidates(ip, o.stateAt(p))
		matches = o.found
	}
	return o.prices.one(o.src[ip], p.literals), matches
}

// LonePrice implements lz77.Lone.
func (o *optimizer) LonePrice(ip int) uint32 { return o.prices.one(o.src[ip], 0) }

// at returns the place of a position.
func (o *optimizer) at(ip int) *place { return &o.places[uint(ip)%uint(len(o.places))] }

// enter records the place of ip, where the last step of a path ends.
func (o *optimizer) enter(ip int, last lz77.Step) *place {
	start := ip - last.Size()
	p, before := o.at(ip), o.at(start)
	switch {
	case last.Length == 0:
		*p = *before
		p.literals++
		if p.off > 0 && ip-int(p.start) >= longEnough {
			o.stateAt(p) // before the place of p.start becomes another one
		}
	case ip-start >= longEnough: // the place of start soon becomes another one, or is p
		*p = place{state: before.state}
		p.match(last.Off)
		p.literals = last.Literals
	default:
		p.literals, p.off, p.start = last.Literals, last.Off, uint32(start)
	}
	return p
}

// stateAt returns the state of a place, with what can be repeated.
func (o *optimizer) stateAt(p *place) *state {
	if p.off > 0 {
		before := o.at(int(p.start)).state
		before.match(p.off)
		p.rep, p.off = before.rep, 0
	}
	return &p.state
}

// candidates finds the matches at ip, each longer than the previous one: first those at
// repeated distances, then the others, the nearest first.
func (o *optimizer) candidates(ip int, s *state) {
	o.found = o.found[:0]
	if s.literals > 0 {
		o.repeated(ip, s.rep[0], 1)
		o.repeated(ip, s.rep[1], 2)
	} else {
		o.repeated(ip, s.rep[1], 1)
	}
	if o.search.tree { // the others match rarely: trying them at levels 7 and 8 takes 5 to 10 % of the time
		if s.literals > 0 {
			o.repeated(ip, s.rep[2], 3)
		} else {
			o.repeated(ip, s.rep[2], 2)
			o.repeated(ip, s.rep[0]-1, 3)
		}
	}
	best := leastMatch - 1
	if n := len(o.found); n > 0 {
		best = int(o.found[n-1].Length)
	}
	if o.search.tree {
		for _, m := range o.tree.at(o.src, ip, o.to) {
			l := int(m.length)
			if l > treeLimit {
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
	if c.Next < ip-longSkip {
		c.Link(src, c.Next+skipFirst)
		c.Next = ip - skipLast
		o.long.Skip(c.Next) // the first positions, too
	}
	if c.Next < ip {
		c.Link(src, ip)
	}
	long := o.long.Enter(src, ip) // positions plus one, like place
	x := mem.Load64(src, ip)
	word, place := uint32(x), int(c.Enter(x, ip))
	o.ahead = c.Last(x >> 8) // load the entry of the next position, so that the next search need not wait for memory
	c.Next = ip + 1
	if ip+best >= to {
		return
	}
	before, _ := c.Before()
	end := mem.Load32(src, ip+best-3) // the last four bytes that a longer match must have
	for n := o.depth; n > 0 && place > 0; n-- {
		if mem.Load32(src, place-1+best-3) == end && mem.Load32(src, place-1) == word {
			if l := 4 + lz77.CommonPrefix(src, ip+4, place-1+4, to); l > best {
				best = l
				o.add(l, uint32(ip+1-place+lz77.RepeatCodes))
				if ip+l >= to {
					return
				}
				end = mem.Load32(src, ip+best-3)
			}
		}
		place = int(mem.Index(before, place))
	}
	if long > 0 && mem.Load32(src, long-1+best-3) == end && mem.Load32(src, long-1) == word {
		if l := 4 + lz77.CommonPrefix(src, ip+4, long-1+4, to); l > best {
			o.add(l, uint32(ip+1-long+lz77.RepeatCodes))
		}
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
	o.found = append(o.found, lz77.Candidate{Length: uint32(length), Off: off, Price: o.prices.off(off) + o.prices.run(0) + o.sequence})
}

// newState returns the state at the beginning of a frame.
func newState() state { return state{rep: [3]uint32{1, 4, 8}} } // RFC 8878, 3.1.1.5

// repeats returns the distances that the finder repeats, which does not know the third.
func (s *state) repeats() [2]int { return [2]int{int(s.rep[0]), int(s.rep[1])} }

// distance returns the distance of a match with code off, and off is the inverse.
func (s *state) distance(off uint32) uint32 {
	switch {
	case off > lz77.RepeatCodes:
		return off - lz77.RepeatCodes
	case s.literals > 0:
		return s.rep[off-1]
	case off < lz77.RepeatCodes:
		return s.rep[off]
	}
	return s.rep[0] - 1
}

func (s *state) off(distance uint32) uint32 {
	for off := uint32(1); off <= lz77.RepeatCodes; off++ {
		if s.distance(off) == distance {
			return off
		}
	}
	return distance + lz77.RepeatCodes
}

// match records a match (RFC 8878, 3.1.1.5).
func (s *state) match(off uint32) {
	d, r := s.distance(off), s.rep
	if s.literals == 0 && off <= lz77.RepeatCodes {
		off++
	}
	switch off {
	case 1:
	case 2:
		s.rep = [3]uint32{d, r[0], r[2]}
	default:
		s.rep = [3]uint32{d, r[0], r[1]}
	}
	s.literals = 0
}
