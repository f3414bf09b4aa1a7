package lz77

// A Parser covers a part of an input with literals and matches at the lowest cost.
// It goes from front to back: each position keeps the cheapest known path to it,
// and all matches there, of all lengths, extend that path. Positions and lengths
// count bytes or words, as the Matcher does. The zero value is ready. It is for one
// goroutine at a time.
type Parser struct {
	nodes  []node
	seqs   []Seq
	anchor int  // position after the last of seqs
	match  node // with Lone, a match that ends at the current position, where the path ends with a literal
}

// A Candidate is a match that is longer than the previous candidates. Off is as in a Seq,
// and Price is the cost of the match without that of its length.
type Candidate struct{ Length, Off, Price uint32 }

// A Step is the end of a path: a match and the literals after it, none or one, or a
// literal if Length is 0. Off is as in a Seq.
type Step struct{ Length, Off, Literals uint32 }

// Size returns the number of positions that the step covers.
func (s Step) Size() int { return int(max(s.Length+s.Literals, 1)) }

// A Matcher finds the candidates of a Parser. For each position from which paths go on, it
// receives the last step of the cheapest path there. Candidates are valid until the next call.
type Matcher interface {
	// Seek returns the first position at or after from with matches, and the price
	// of the literal there. If there is none, all remaining bytes are literals. All
	// paths begin at place, so prices may change here.
	Seek(place int, last Step) (at int, literal uint32, matches []Candidate)
	// At returns the price of the literal at the next position from which paths go on, and
	// the matches there. good reports whether the path to the position is cheap. If it is
	// false, the path to the next position costs hardly more, and searching for matches
	// does not pay.
	At(place int, last Step, good bool) (literal uint32, matches []Candidate)
}

// Costs are the prices that a Parser uses.
type Costs struct {
	Lengths []uint32 // the price of each length; a longer match is taken immediately; Seek may change it, within its capacity
	Least   int      // the length of the shortest match
	Margin  uint32   // how much cheaper the path to a good position is than the path to the next position
	Unit    int      // how much more a path may cost for each position that it reaches after the end
	Lone    Lone     // if not nil, a path may end with a match and a literal, even if without the literal another path is cheaper
}

// A Lone returns the price of a literal at a position that directly follows a match. It
// may be less than that of another literal. If only the first byte of items changes,
// nearly all matches follow exactly one literal, and paths to all other positions seem
// dear.
type Lone interface{ LonePrice(place int) uint32 }

// A node is the cheapest known path to a position: its price, and its end.
type node struct {
	cost uint32
	Step
}

const (
	horizon = 4096    // how far paths are followed before one is chosen
	first   = 1 << 16 // the initial price of paths: a literal may make them cheaper
	unknown = 1 << 31
)

// Parse returns the cheapest sequences for the positions [from, to). What follows
// the last sequence is literals. Matches that extend beyond to end by end. The
// result is valid until the next call.
func (p *Parser) Parse(m Matcher, from, to int, c *Costs) (seqs []Seq, end int) {
	if n := horizon + cap(c.Lengths) + 1; len(p.nodes) < n {
		p.nodes = make([]node, n)
	}
	nodes := p.nodes
	p.seqs, p.anchor = p.seqs[:0], from
	var step Step
next:
	for from < to {
		// All paths start at from.
		begin, literal, matches := m.Seek(from, step)
		lengths := c.Lengths
		if len(matches) == 0 {
			break
		}
		nodes[0].cost = first
		at, last := 0, 0 // positions relative to begin
		p.match = node{}
		for {
			if n := len(matches); n > 0 {
				longest := matches[n-1]
				if int(longest.Length) >= len(lengths) || at >= horizon {
					p.take(begin, at)
					step = Step{Length: longest.Length, Off: longest.Off}
					from = begin + at + int(step.Length)
					p.append(from, step)
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
							*w = node{cost, Step{Length: uint32(l), Off: match.Off}}
						}
					}
				}
			}
			if cost, next := nodes[at].cost+literal, &nodes[at+1]; c.Lone != nil {
				p.lone(next, cost, c.Lone, begin+at)
			} else if cost < next.cost {
				*next = node{cost: cost}
			}
			// Within a match, the path to the next position often costs no more. Then no literal
			// and no match is tried: in long matches that takes most of the time, and the output
			// is 0.01 to 0.4 % smaller, as the price of a single literal is an estimate.
			for at++; at < last && begin+at < to && nodes[at+1].cost <= nodes[at].cost && p.match.Length == 0; {
				at++
			}
			if at == last || begin+at >= to {
				break
			}
			here := &nodes[at]
			literal, matches = m.At(begin+at, here.Step, nodes[at+1].cost > here.cost+c.Margin)
		}
		end := at // the end of the path, which is after to if a longer path costs less for its length
		for i := at + 1; i <= last; i++ {
			if int(nodes[i].cost)-int(nodes[end].cost) < (i-end)*c.Unit {
				end = i
			}
		}
		step = nodes[end].Step
		p.take(begin, end)
		from = begin + end
	}
	return p.seqs, max(from, to)
}

// lone ends the path to next, if it is dearer, with the literal at place, to which the path
// costs cost, or with a match and this literal.
func (p *Parser) lone(next *node, cost uint32, l Lone, place int) {
	path, match := node{cost: cost}, &p.match
	if match.Length > 0 {
		if match.cost += l.LonePrice(place); match.cost < cost {
			match.Literals = 1
			path = *match
		}
		match.Length = 0
	}
	if path.cost < next.cost {
		if next.cost < unknown {
			*match = *next
		}
		*next = path
	}
}

// Seqs returns the sequences so far. During a call of Seek they are final.
func (p *Parser) Seqs() []Seq { return p.seqs }

// append adds the match of a step that ends at the given position.
func (p *Parser) append(end int, s Step) {
	end -= int(s.Literals)
	p.seqs = append(p.seqs, Seq{uint32(end-p.anchor) - s.Length, s.Length, s.Off})
	p.anchor = end
}

// take appends the matches of the path to the position n after begin.
func (p *Parser) take(begin, n int) {
	// Follow the path backwards, and record each step at the position where it begins.
	nodes := p.nodes[:n+1]
	step := nodes[n].Step
	for i := n; i > 0; {
		i -= step.Size()
		nodes[i].Step, step = step, nodes[i].Step
	}
	for i := 0; i < n; {
		s := nodes[i].Step
		i += s.Size()
		if s.Length > 0 {
			p.append(begin+i, s)
		}
	}
}
