package lz77

// A Parser covers a part of an input with literals and matches at the lowest cost.
// It goes from front to back: each position keeps the cheapest known path to it,
// and all matches there, of all lengths, extend that path. Positions and lengths
// count bytes or words, as the Matcher does. The zero value is ready. It is for one
// goroutine at a time.
type Parser struct {
	nodes  []node
	seqs   []Seq
	anchor int // position after the last of seqs
}

// A Candidate is a match that is longer than the previous candidates. Off is as in a Seq,
// and Price is the cost of the match without that of its length.
type Candidate struct{ Length, Off, Price uint32 }

// A Matcher finds the candidates of a Parser. For each position it receives the
// last step of the cheapest path there: a match of length and off, or a literal if
// length is 0. Candidates are valid until the next call.
type Matcher interface {
	// Seek returns the first position at or after from with matches, and the price
	// of the literal there. If there is none, all remaining bytes are literals. All
	// paths begin at place, so prices may change here.
	Seek(place int, length, off uint32) (at int, literal uint32, matches []Candidate)
	// At returns the price of the literal at the position after the last one, and the
	// matches there. good reports whether the path to the position is cheap. If it is
	// false, the path to the next position costs hardly more, and searching for matches
	// does not pay.
	At(place int, length, off uint32, good bool) (literal uint32, matches []Candidate)
}

// Costs are the prices that a Parser uses.
type Costs struct {
	Lengths []uint32 // the price of each length; a longer match is taken immediately
	Least   int      // the length of the shortest match
	Margin  uint32   // how much cheaper the path to a good position is than the path to the next position
	Unit    int      // how much more a path may cost for each position that it reaches after the end
}

// A node is the cheapest known path to a position: its price, and the match that
// ends there, or length 0 for a literal.
type node struct{ cost, length, off uint32 }

const (
	horizon = 4096    // how far paths are followed before one is chosen
	first   = 1 << 16 // the initial price of paths: a literal may make them cheaper
	unknown = 1 << 31
)

// Parse returns the cheapest sequences for the positions [from, to). What follows
// the last sequence is literals. Matches that extend beyond to end by end. The
// result is valid until the next call.
func (p *Parser) Parse(m Matcher, from, to int, c *Costs) (seqs []Seq, end int) {
	if n := horizon + len(c.Lengths) + 1; len(p.nodes) < n {
		p.nodes = make([]node, n)
	}
	nodes, lengths := p.nodes, c.Lengths
	p.seqs, p.anchor = p.seqs[:0], from
	var length, off uint32
next:
	for from < to {
		// All paths start at from.
		begin, literal, matches := m.Seek(from, length, off)
		if len(matches) == 0 {
			break
		}
		nodes[0].cost = first
		at, last := 0, 0 // positions relative to begin
		for {
			if n := len(matches); n > 0 {
				longest := matches[n-1]
				if int(longest.Length) >= len(lengths) || at >= horizon {
					p.take(begin, at)
					length, off = longest.Length, longest.Off
					from = begin + at + int(length)
					p.append(from, length, off)
					continue next
				}
				for ; last < at+int(longest.Length); last++ {
					nodes[last+1].cost = unknown
				}
				l := c.Least
				for _, match := range matches {
					base := nodes[at].cost + match.Price
					for ; l <= int(match.Length); l++ {
						if w, cost := &nodes[at+l], base+lengths[l]; cost < w.cost {
							*w = node{cost, uint32(l), match.Off}
						}
					}
				}
			}
			if cost := nodes[at].cost + literal; cost < nodes[at+1].cost {
				nodes[at+1] = node{cost: cost}
			}
			at++
			if at == last || begin+at >= to {
				break
			}
			here := &nodes[at]
			literal, matches = m.At(begin+at, here.length, here.off, nodes[at+1].cost > here.cost+c.Margin)
		}
		end := at // the end of the path, which is after to if a longer path costs less for its length
		for i := at + 1; i <= last; i++ {
			if int(nodes[i].cost)-int(nodes[end].cost) < (i-end)*c.Unit {
				end = i
			}
		}
		length, off = nodes[end].length, nodes[end].off
		p.take(begin, end)
		from = begin + end
	}
	return p.seqs, max(from, to)
}

// Seqs returns the sequences so far. During a call of Seek they are final.
func (p *Parser) Seqs() []Seq { return p.seqs }

// append adds a match that ends at the given position.
func (p *Parser) append(end int, length, off uint32) {
	p.seqs = append(p.seqs, Seq{uint32(end-p.anchor) - length, length, off})
	p.anchor = end
}

// take appends the matches of the path to the position n after begin.
func (p *Parser) take(begin, n int) {
	// Follow the path backwards, and record each match at the position where it begins.
	nodes := p.nodes[:n+1]
	step := nodes[n]
	for i := n; i > 0; {
		i -= max(int(step.length), 1)
		nodes[i], step = step, nodes[i]
	}
	for i := 0; i < n; {
		w := nodes[i]
		i += max(int(w.length), 1)
		if w.length > 0 {
			p.append(begin+i, w.length, w.off)
		}
	}
}
