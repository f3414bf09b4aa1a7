package deflate

import (
	"math/bits"
	"sync"

	"github.com/seed03b80dae/blosc2/codecs/internal/huffman"
)

// These are the symbols of RFC 1951, 3.2.5: literals, the end of a block and
// lengths; and distances, in a separate alphabet.
const (
	endOfBlock   = 256
	firstLength  = 257
	numLiterals  = huffman.MaxSymbols
	numDistances = 30

	minMatch    = 3
	maxMatch    = 258
	maxDistance = 1<<15 - 1 // one less than allowed: linking a position overwrites the entry of the one 1<<15 before
)

// These are constant tables. They are made on first use, so that they do not delay the
// start of a process.
var (
	lengthSymbols [maxMatch + 1]uint8 // symbol of each length, less firstLength
	lengthExtra   [numLiterals - firstLength]uint8
	lengthBase    [numLiterals - firstLength]uint16
	distanceExtra [numDistances]uint8

	// These are the codes of a fixed block (RFC 1951, 3.2.6).
	fixedLiterals, fixedDistances code

	logs [1<<10 + 2]uint32 // logs[n] is n·log2(n)
)

var makeTables = sync.OnceFunc(func() {
	base := uint16(minMatch)
	for s := range lengthExtra {
		lengthExtra[s] = uint8(max(s/4-1, 0))
		if s == len(lengthExtra)-1 {
			base, lengthExtra[s] = maxMatch, 0
		}
		lengthBase[s] = base
		for range 1 << lengthExtra[s] {
			if base <= maxMatch {
				lengthSymbols[base] = uint8(s)
			}
			base++
		}
	}
	for s := range distanceExtra {
		distanceExtra[s] = uint8(max(s/2-1, 0))
	}
	fixedLiterals.fix(numLiterals, func(s int) uint8 {
		switch {
		case s >= 144 && s < 256:
			return 9
		case s >= 256 && s < 280:
			return 7
		}
		return 8
	})
	fixedLiterals.count[8] += 2 // two symbols exist that no block uses
	fixedLiterals.assign()
	fixedDistances.fix(numDistances, func(int) uint8 { return 5 })
	fixedDistances.assign()
	for n := 1; n < len(logs); n++ {
		logs[n] = uint32(uint64(n) * uint64(huffman.Log2(uint32(n), 16)) * costUnit >> 16)
	}
})

// fix sets a code of n symbols whose lengths are known.
func (c *code) fix(n int, bits func(symbol int) uint8) {
	for s := range n {
		c.symbols[s] = uint16(s)
		c.lengths[s] = bits(s)
		c.count[c.lengths[s]]++
	}
	c.used = n
}

// distanceSymbol returns the symbol of the distance d+1.
func distanceSymbol(d uint32) uint32 {
	if d < 2 {
		return d
	}
	n := uint32(bits.Len32(d)) - 1
	return 2*n + d>>((n-1)&31)&1
}
