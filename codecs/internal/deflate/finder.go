package deflate

import "math/bits"

// A seq is a number of literals and the match that follows them. A length of 0 means no
// match.
type seq struct {
	literals uint16
	length   uint16
	distance uint16 // distance of the match, less 1
	symbol   uint8  // symbol of the distance
}

// A match is a match of distance+1, and what it saves compared with literals, in
// eighths of a bit.
type match struct{ length, distance, gain int }

// A finder looks for matches: with buckets of the last positions (buckets.go), or,
// in planes that repeat much, with chains (chains.go). Tables hold positions modulo
// 1<<16 and are cleared for every input. A match at a stale position is compared
// like any other.
type finder struct {
	effort  Effort
	literal int    // cost of a literal, in eighths of a bit
	last    uint32 // the previous distance, less 1
	plane   int    // length of a plane, 0 if the input has none
	at      int    // the current plane
	chained bool   // the current plane is searched by chains

	buckets buckets
	chains  links
	items   *itemFinder // for input without planes; nil before the first such input
}

const (
	tail  = 8 // no match begins in the last 8 bytes
	prime = 0x9e3779b185ebca87
	key4  = prime << 32 & (1<<64 - 1) // a factor as in lz77.KeyOf

	// Longer items are not compared with the previous one, and neither are those of inputs of
	// a few items: no match begins in the first item.
	maxItem = 255

	// In a match longer than longMatch only the first linkFirst and the last linkLast
	// positions are linked.
	longMatch = 32
	linkFirst = 4
	linkLast  = 8

	// This is the largest number of positions to skip at a time. It is small enough that
	// repeated noise is found, although late. A chain omits skipped positions if there
	// are more than a few.
	mostSkipped = 15
	maxLinked   = 4
)

func (f *finder) reset(n, plane int, e Effort) {
	f.effort, f.plane, f.at, f.chained, f.last = e, plane, 0, false, 0
	if f.priced() {
		if f.items == nil {
			f.items = new(itemFinder)
		}
		f.items.begin(n, e)
		return
	}
	if e.Item > min(maxItem, n/8) {
		f.effort.Item = 0
	}
	clear(f.buckets[:])
	if e.Depth > 0 {
		f.chains.reset(n, key4, chainBits)
	}
}

// priced reports whether the itemFinder looks for matches.
func (f *finder) priced() bool { return f.plane == 0 && f.effort.Depth > 0 }

// These are the costs of a match, in eighths of a bit: of the symbols of length and
// distance, and of the extra bits.
const (
	matchCost = 8 * 8
	longCost  = 8
)

func (f *finder) gain(length, distance int) int {
	cost := matchCost + 8*max(bits.Len32(uint32(distance))-2, 0)
	if length > 10 {
		cost += longCost
	}
	return length*f.literal - cost
}

// dearer is the additional cost of literals in input without planes, in which the
// cheap bytes are in matches.
const dearer = 8 / 2

// worthwhile returns the minimum length of a match that is not at the nearest
// distances: 3 if literals cost 8 bits, more if they cost less.
func worthwhile(literal int) int {
	const cost = 19 * 8
	return min(max((cost+literal-1)/literal, 3), 8)
}

// The first bytes of a plane, look of them, show whether chains pay: they do if tokens
// (literals and matches) cover more than a few bytes on average and are not only runs.
const (
	look          = 4 << 10
	nothingButRun = 200
)

func (f *finder) repetitive(seqs []seq, n int) bool {
	halves := 6 // half bytes that a token must cover on average
	if f.effort.Thorough {
		halves = 3
	}
	tokens := 0
	for i := range seqs {
		tokens += int(seqs[i].literals) + 1
	}
	return tokens*halves < 2*n && tokens*nothingButRun > n
}

// find appends the sequences of src[from:to], a piece of a plane with the given
// cost of literals, and returns the position where they end, which is after to if
// there is a run.
func (f *finder) find(seqs []seq, src []byte, from, to, literal int) ([]seq, int) {
	if f.priced() {
		return f.items.find(seqs, src, from, to)
	}
	if f.plane == 0 {
		literal += dearer
	}
	f.literal = literal
	key := worthwhile(literal)
	if f.effort.Depth == 0 {
		return f.findBuckets(seqs, src, from, to, key)
	}
	if plane := (to - 1) / f.plane; plane != f.at {
		f.at, f.chained = plane, false
		f.chains.Skip(from)
	}
	first, last := len(seqs), f.last
	if !f.chained {
		seqs, end := f.findBuckets(seqs, src, from, min(from+look, to), key)
		if end >= to {
			return seqs, end
		}
		if !f.repetitive(seqs[first:], end-from) {
			return f.findBuckets(seqs, src, end, to, key)
		}
	}
	f.last = last
	seqs, end := f.findChains(seqs[:first], src, from, to)
	f.chained = f.repetitive(seqs[first:], end-from)
	return seqs, end
}

// appendMatch appends the match m after some literals.
func appendMatch(seqs []seq, literals int, m match) []seq {
	return append(seqs, seq{uint16(literals), uint16(m.length), uint16(m.distance), uint8(distanceSymbol(uint32(m.distance)))})
}

// extend returns where a match at ip begins if it begins as early as it can, after anchor, and
// the match. Positions are skipped where nothing matches, so a match may be found late.
func extend(src []byte, ip, anchor int, m match) (int, match) {
	for ref := ip - 1 - m.distance; ip > anchor && ref > 0 && m.length < maxMatch && src[ip-1] == src[ref-1]; ref-- {
		ip--
		m.length++
	}
	return ip, m
}

// appendRun appends a run of n bytes that equal the previous one, without a
// remainder too short for a match, and returns the appended length.
func appendRun(seqs []seq, literals, n int) ([]seq, int) {
	done := 0
	for n-done >= minMatch {
		l := min(n-done, maxMatch)
		seqs = append(seqs, seq{literals: uint16(literals), length: uint16(l)})
		literals = 0
		done += l
	}
	return seqs, done
}

// appendRest appends the literals after the last match up to to, if any, and
// returns the position of the end.
func appendRest(seqs []seq, anchor, to int) ([]seq, int) {
	if anchor < to {
		seqs = append(seqs, seq{literals: uint16(to - anchor)})
	}
	return seqs, max(anchor, to)
}
