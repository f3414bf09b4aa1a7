package deflate

import "math"

// A node is the cheapest way to a place that is known.
type node struct {
	cost uint32 // in costUnits
	step uint32 // the match that comes there, its length<<16 and its distance less 1; 0 for a literal
}

const unknown = 1 << 31

// findOptimal is find that weighs all ways to cover a piece with the matches
// that are found against each other.
func (w *itemFinder) findOptimal(seqs []seq, src []byte, from, to int) ([]seq, int) {
	e, p, nodes := &w.effort, &w.prices, &w.nodes
	end := min(to, len(src)-tail)
	begin, ip := from, from
	reach := from // the last node that is known
	nodes[0] = node{}
	misses := 0
	for ; ip < to; ip++ {
		at := ip - from
		if ip == reach {
			reach++
			nodes[at+1].cost = unknown
		}
		here := nodes[at].cost
		if c := here + uint32(p.literal[src[ip]]); c < nodes[at+1].cost {
			nodes[at+1] = node{cost: c}
		} else if nodes[at+1].cost <= here {
			continue // a place that is dearer to reach than the next is not a good one
		}
		if ip >= end || ip == 0 {
			continue
		}
		if misses>>(e.Skip&63) > 0 && misses%4 != 0 {
			misses++
			continue
		}
		if w.skips(ip) {
			continue
		}
		n := run(src, ip)
		var found []candidate
		if n < longMatch {
			found = w.candidates(src, ip, e.Depth)
			if len(found) == 0 {
				misses++
				w.misses[ip%phases]++
				continue
			}
			misses = 0
			w.misses[ip%phases] = 0
		}
		if n >= longMatch || found[len(found)-1].length >= e.Nice {
			// Taken whatever it costs.
			anchor := 0
			seqs, anchor = w.appendPath(seqs, from, begin, ip)
			if n >= longMatch {
				seqs, n = appendRun(seqs, ip-anchor, n)
				w.passRun(src, ip, ip+n)
			} else {
				c := found[len(found)-1]
				n = c.length
				seqs = appendMatch(seqs, ip-anchor, match{length: n, distance: c.distance})
			}
			if begin = ip + n; begin >= to {
				return seqs, begin
			}
			nodes[begin-from] = node{}
			ip, reach = begin-1, begin
			continue
		}
		for longest := ip + found[len(found)-1].length; reach < longest; reach++ {
			nodes[reach+1-from].cost = unknown
		}
		l := minMatch
		for _, c := range found {
			base := here + uint32(p.distance[distanceSymbol(uint32(c.distance))])
			for ; l <= c.length; l++ {
				if cost := base + uint32(p.length[l]); cost < nodes[at+l].cost {
					nodes[at+l] = node{cost, uint32(l)<<16 | uint32(c.distance)}
				}
			}
		}
	}
	// The piece ends where it is cheapest for its length.
	least, last := math.MaxInt, to
	for i := to; i <= reach; i++ {
		if c := int(nodes[i-from].cost) - (i-to)*p.byte; c < least {
			least, last = c, i
		}
	}
	seqs, anchor := w.appendPath(seqs, from, begin, last)
	return appendRest(seqs, anchor, last)
}

// appendPath appends the matches on the way from begin to a place, and returns
// where the last of them ends.
func (w *itemFinder) appendPath(seqs []seq, from, begin, to int) ([]seq, int) {
	nodes := &w.nodes
	// Back from the end: each step is noted where it begins.
	step := nodes[to-from].step
	for i := to; i > begin; {
		i -= max(int(step>>16), 1)
		n := &nodes[i-from]
		n.step, step = step, n.step
	}
	anchor := begin
	for i := begin; i < to; {
		s := nodes[i-from].step
		l := int(s >> 16)
		if l == 0 {
			i++
			continue
		}
		seqs = appendMatch(seqs, i-anchor, match{length: l, distance: int(s & (1<<16 - 1))})
		i += l
		anchor = i
	}
	return seqs, anchor
}
