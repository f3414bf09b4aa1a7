package deflate

// prices are what symbols cost, in costUnits, by how often they were used of
// late.
type prices struct {
	literal  [256]uint16
	length   [maxMatch + 1]uint16 // with the bits after the symbol
	distance [numDistances]uint16 // likewise, by the symbol
	byte     int                  // what a byte costs on average, whatever it is part of
	literals int                  // how many matches follow a literal, of allLiterals
	used     counts               // the later the more they count
}

const allLiterals = 16

// guess sets prices for what begins with src.
func (p *prices) guess(src []byte) {
	p.used = counts{}
	for _, b := range src {
		p.used.literals[b]++
	}
	for i := range 256 {
		p.used.literals[i] /= 2
	}
	for s := range lengthBase {
		p.used.literals[firstLength+s] = uint32(len(src)) >> (5 + s/2)
	}
	for s := range p.used.distances {
		p.used.distances[s] = uint32(len(src)) >> 8
	}
	p.byte, p.literals = 3*costUnit, allLiterals
	p.set()
}

// learn takes in what a piece was made of, and the bits that it takes.
func (p *prices) learn(b *block, cost int, seqs []seq) {
	for i, n := range &b.literals {
		p.used.literals[i] = p.used.literals[i]*3/4 + n
	}
	for i, n := range &b.distances {
		p.used.distances[i] = p.used.distances[i]*3/4 + n
	}
	after := 0
	for i := range seqs {
		if seqs[i].literals > 0 {
			after++
		}
	}
	const least = 2 * costUnit // else short matches were none
	p.byte = max(cost*costUnit/(b.to-b.from), least)
	p.literals = allLiterals * after / max(len(seqs), 1)
	p.set()
}

// set makes prices of counts. What did not occur might, above all other matches:
// if they were too dear they would never be tried.
func (p *prices) set() {
	const times = 8
	c := &p.used
	matches, total := uint32(0), uint32(0)
	for _, n := range &c.distances {
		matches += n
	}
	might := 1 + matches/8
	for _, n := range &c.literals {
		total += times*n + 1
	}
	total += uint32(len(lengthBase)) * (might - 1)
	all := log2Units(total)
	for i := range p.literal {
		p.literal[i] = uint16(symbolPrice(all, times*c.literals[i]+1))
	}
	for s, l := range &lengthBase {
		price := uint16(symbolPrice(all, times*c.literals[firstLength+s]+might) + int(lengthExtra[s])*costUnit)
		for ; int(l) < min(int(lengthBase[s])+1<<lengthExtra[s], len(p.length)); l++ {
			p.length[l] = price
		}
	}
	total = times*matches + numDistances*might
	all = log2Units(total)
	for s, n := range &c.distances {
		p.distance[s] = uint16(symbolPrice(all, times*n+might) + int(distanceExtra[s])*costUnit)
	}
}

// symbolPrice returns the bits of the code for what occurs n times, all being
// the logarithm of how often anything does.
func symbolPrice(all int, n uint32) int {
	return min(max(all-log2Units(n), costUnit), maxBits*costUnit)
}

// log2Units returns the logarithm of n > 0 in costUnits.
func log2Units(n uint32) int { return nlogn(n) / int(n) }

// match returns the price of a match. The distance is less 1.
func (p *prices) match(length, distance int) int {
	return int(p.length[length]) + int(p.distance[distanceSymbol(uint32(distance))])
}

// left returns what the byte after a match costs beyond what bytes do, if a
// longer one ends after it: it may become a literal.
func (p *prices) left(src []byte, end, longer int) int {
	if longer <= end {
		return 0
	}
	return (int(p.literal[src[end]]) - p.byte) * p.literals / allLiterals
}

// worthwhile reports whether m costs less than literals.
func (p *prices) worthwhile(src []byte, ip int, m match) bool {
	cost := p.match(m.length, m.distance)
	for i := range m.length {
		if cost -= int(p.literal[src[ip+i]]); cost < 0 {
			return true
		}
	}
	return false
}
