package deflate

// prices are the costs of symbols, in costUnits, according to their recent frequencies.
type prices struct {
	literal  [256]uint16
	length   [maxMatch + 1]uint16 // including the extra bits
	distance [numDistances]uint16 // by symbol, including the extra bits
	byte     int                  // average cost of a byte, in literals and matches
	literals int                  // how many of allLiterals literals are followed by a match
	used     counts               // counts of symbols, in which recent ones have more weight
}

const allLiterals = 16

// guess sets the initial prices for an input that begins with src.
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

// learn adds the symbols of a piece and its size in bits.
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
	const least = 2 * costUnit // otherwise short matches would never pay
	p.byte = max(cost*costUnit/(b.to-b.from), least)
	p.literals = allLiterals * after / max(len(seqs), 1)
	p.set()
}

// set computes prices from counts. Symbols that did not occur have a finite price too,
// because otherwise they would never be tried.
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

// symbolPrice returns the bits of the code for a symbol that occurs n times; all is the
// logarithm of the total number of symbols.
func symbolPrice(all int, n uint32) int {
	return min(max(all-log2Units(n), costUnit), maxBits*costUnit)
}

// log2Units returns the logarithm of n > 0 in costUnits.
func log2Units(n uint32) int { return nlogn(n) / int(n) }

// match returns the price of a match of the given length at distance+1, in costUnits.
func (p *prices) match(length, distance int) int {
	return int(p.length[length]) + int(p.distance[distanceSymbol(uint32(distance))])
}

// left returns how much more than the average a byte costs that a shorter match leaves
// uncovered, because that byte may become a literal.
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
