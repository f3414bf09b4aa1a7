package lz77

import (
	"bytes"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// Blocks of one item, such as a missing value, need no search. At zstd 3 and lz4hc 5 it takes
// four times as long, most of it to empty the tables, and at zstd 9 a thousand times.

const (
	// MostPeriod is the length in bytes of the longest item that Period finds.
	MostPeriod  = 64
	leastPeriod = 1 << 10 // shorter blocks are searched
)

// Period returns the distance at which the whole of a block of 1 KiB or more repeats, or 0 if
// there is none of at most MostPeriod.
func Period(block []byte) int {
	if len(block) < leastPeriod {
		return 0
	}
	begin := block[:2*MostPeriod]
	for d := 1; d <= MostPeriod; d++ {
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
