package zstd

import (
	"bytes"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// Blocks of one item, such as a missing value, need no search. At level 3 it takes four times
// as long, most of it to empty the tables, and at level 9 a thousand times.

const (
	mostPeriod  = 64      // the longest item that is found
	leastPeriod = 1 << 10 // shorter blocks are searched
)

// period returns the distance at which a whole block repeats, 0 if there is none.
func period(block []byte) int {
	if len(block) < leastPeriod {
		return 0
	}
	begin := block[:2*mostPeriod]
	for d := 1; d <= mostPeriod; d++ {
		if mem.Load64(begin, d) != mem.Load64(begin, 0) || !bytes.Equal(begin[d:], begin[:len(begin)-d]) {
			continue
		}
		if !bytes.Equal(block[d:], block[:len(block)-d]) {
			break // with a larger distance, the block would repeat at this one, too
		}
		return d
	}
	return 0
}

// appendPeriod codes src[from:to], which repeats at a distance of at most mostPeriod, as a
// single match.
func (e *Encoder) appendPeriod(dst, src []byte, from, to, distance int, last bool) []byte {
	match := &e.match[0]
	*match = lz77.Seq{Literals: uint32(distance), Off: uint32(distance + lz77.RepeatCodes)}
	if from >= distance && bytes.Equal(src[from-distance:from], src[from:from+distance]) {
		match.Literals = 0 // it continues the block before
	}
	match.Length = uint32(to-from) - match.Literals
	e.plain, e.smallTables = false, false
	whole := part{from: from, to: to, seqs: e.match[:]}
	coded, _ := e.appendPart(dst, src, whole, last) // it shrinks, because it has leastPeriod bytes or more
	_, e.state = whole.follow(e.state, e.state)
	e.finder.SetRepeats([2]int{distance, e.finder.Repeats()[0]})
	return coded
}
