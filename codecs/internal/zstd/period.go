package zstd

import (
	"bytes"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// appendPeriod codes src[from:to], which repeats at a distance of at most lz77.MostPeriod, as a
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
	coded, _ := e.appendPart(dst, src, whole, last) // it shrinks, because it has 1 KiB or more
	_, e.state = whole.follow(e.state, e.state)
	e.finder.SetRepeats([2]int{distance, e.finder.Repeats()[0]})
	return coded
}
