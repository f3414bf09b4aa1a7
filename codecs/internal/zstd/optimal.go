package zstd

import (
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// An optimizer weighs the ways to cover a block with matches against each
// other, by what their sequences cost, as zstd's highest levels do.
type optimizer struct {
	prices prices
	chain  lz77.Chain[uint32]
	nodes  []node
	found  []candidate
	seqs   []lz77.Seq
	back   []lz77.Seq
}

// A node is the cheapest way to a place that is known: last a match, then
// literals.
type node struct {
	price    uint32 // in 256ths of a bit
	off      uint32 // of the match, as in lz77.Seq
	length   uint32 // 0 before the first match
	literals uint32
	rep      [2]uint32 // distances that may be repeated
}

// A candidate is a match that is longer than those before it.
type candidate struct{ length, off int }

const (
	hashBits   = 17   // of the chain
	horizon    = 4096 // how far ways are followed before one is taken
	longEnough = 128  // a match that is longer is taken at once
	unknown    = 1 << 30
	lastMatch  = 8 // no match begins in the last bytes
)

// find returns the sequences of src[from:to] that cost the least by the prices
// that first suggests, which are sequences of the same block. It looks at depth
// candidates at a place. rep are the distances to repeat, before and
// afterwards.
func (o *optimizer) find(src []byte, from, to, depth int, rep *[2]int, first []lz77.Seq) []lz77.Seq {
	o.prices.set(src[from:to], first)
	if o.nodes == nil {
		o.nodes = make([]node, horizon+longEnough+1)
	}
	o.seqs = o.seqs[:0]
	o.chain.Reset(len(src), len(src)+1, lz77.KeyOf4, hashBits)
	o.chain.Link(src, from)
	limit := to - lastMatch
	anchor, ip := from, max(from, 1)
	start := node{rep: [2]uint32{uint32(rep[0]), uint32(rep[1])}}
	for ip < limit {
		start.literals = uint32(ip - anchor)
		o.candidates(src, ip, to, depth, &start)
		if len(o.found) == 0 {
			ip += 1 + (ip-anchor)>>8
			continue
		}
		last, long := o.weigh(src, ip, limit, to, depth, start)
		o.take(last)
		end := o.nodes[last]
		ip += last
		if long.length > 0 {
			o.seqs = append(o.seqs, lz77.Seq{Literals: end.literals, Length: uint32(long.length), Off: uint32(long.off)})
			end.repeat(uint32(long.off), end.literals == 0)
			end.literals = 0
			ip += long.length
		}
		anchor = ip - int(end.literals)
		start.rep = end.rep
	}
	*rep = [2]int{int(start.rep[0]), int(start.rep[1])}
	return o.seqs
}

// weigh finds the cheapest ways from ip on, as far as matches reach over one
// another, and returns how far that is: to the node last, and a match from
// there on that is taken whatever it costs.
func (o *optimizer) weigh(src []byte, ip, limit, to, depth int, start node) (last int, long candidate) {
	nodes, p := o.nodes, &o.prices
	start.price = p.run(start.literals)
	nodes[0] = start
	for cur := 0; ; {
		if n := len(o.found); n > 0 {
			long = o.found[n-1]
			if long.length > longEnough || cur >= horizon {
				return cur, long
			}
			last = o.offer(cur, last)
		}
		cur++
		// One literal more.
		n := &nodes[cur-1]
		price := n.price + p.literal[src[ip+cur-1]] + p.run(n.literals+1) - p.run(n.literals)
		if price <= nodes[cur].price {
			nodes[cur] = *n
			nodes[cur].price = price
			nodes[cur].literals++
		}
		if cur == last || ip+cur >= limit {
			return cur, candidate{}
		}
		o.found = o.found[:0]
		// A place that is hardly cheaper to reach than the next is not a good
		// one.
		if nodes[cur+1].price > nodes[cur].price+128 {
			o.candidates(src, ip+cur, to, depth, &nodes[cur])
		}
	}
}

// offer goes on from the node cur with all matches that were found, of all
// lengths. last is the last node that has a price.
func (o *optimizer) offer(cur, last int) int {
	nodes, p := o.nodes, &o.prices
	end := cur + o.found[len(o.found)-1].length
	for ; last < end; last++ {
		nodes[last+1].price = unknown
	}
	from := nodes[cur]
	length := lz77.MinMatch
	for _, c := range o.found {
		next := from
		next.repeat(uint32(c.off), from.literals == 0)
		next.off, next.literals = uint32(c.off), 0
		base := from.price + p.off(uint32(c.off)) + p.run(0)
		for ; length <= c.length; length++ {
			next.price = base + p.length[length]
			if n := &nodes[cur+length]; next.price < n.price {
				next.length = uint32(length)
				*n = next
			}
		}
	}
	return last
}

// repeat notes the distances that may be repeated after a match.
func (n *node) repeat(off uint32, noLiterals bool) {
	switch {
	case off > lz77.RepeatCodes:
		n.rep = [2]uint32{off - lz77.RepeatCodes, n.rep[0]}
	case off == 2 || noLiterals:
		n.rep = [2]uint32{n.rep[1], n.rep[0]}
	}
}

// take appends the sequences of the way to a node.
func (o *optimizer) take(at int) {
	o.back = o.back[:0]
	for n := &o.nodes[at]; n.length > 0; n = &o.nodes[at] {
		s := lz77.Seq{Length: n.length, Off: n.off}
		at -= int(n.literals + n.length)
		s.Literals = o.nodes[at].literals
		o.back = append(o.back, s)
	}
	for i := len(o.back) - 1; i >= 0; i-- {
		o.seqs = append(o.seqs, o.back[i])
	}
}
