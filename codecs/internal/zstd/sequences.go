package zstd

import (
	"math/bits"
	"sync"
)

// A kind is one of the three alphabets of a sequence (RFC 8878, 3.1.1.3.2).
type kind struct {
	symbols    int
	maxLog     uint
	predefined []int16
	log        uint        // log of the predefined table
	table      fseTable    // table of the predefined counts, for encoding
	decode     decodeTable // table of the predefined counts, for decoding
	values     []entry     // values of the symbols
}

// The default distributions are those of RFC 8878, 3.1.1.3.2.2, and the numbers of
// extra bits those of 3.1.1.3.2.1.1.
var (
	literalLengths = kind{symbols: 36, maxLog: 9, log: 6, predefined: []int16{
		4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}}
	matchLengths = kind{symbols: 53, maxLog: 9, log: 6, predefined: []int16{
		1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}}
	offsets = kind{symbols: 32, maxLog: 8, log: 5, predefined: []int16{
		1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}}

	// These are the length codes, by length, for lengths with a code each.
	literalCodes [64]uint8
	matchCodes   [128]uint8

	literalBits = [64]uint8{16: 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	matchBits   = [64]uint8{32: 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

	log2 [1<<9 + 1]uint32 // log2x256 of small numbers
)

// kinds holds the alphabets in the order of a block's tables.
var kinds = [3]*kind{literalLength: &literalLengths, offset: &offsets, matchLength: &matchLengths}

// prepare makes the tables on first use, so that they do not delay the start of a
// process.
var prepare = sync.OnceFunc(func() {
	literalLengths.values = values(literalBits[:literalLengths.symbols], 0, shortLiterals)
	matchLengths.values = values(matchBits[:matchLengths.symbols], 3, shortMatch)
	for s := range offsets.symbols {
		offsets.values = append(offsets.values, distance(uint8(s)))
	}
	for w := range weightValues {
		weightValues[w] = length(uint32(w), 0, 0)
	}
	for _, k := range kinds {
		k.table.build(k.predefined, k.log)
		k.decode.build(k.predefined, k.log, k.values)
	}
	fillCodes(literalCodes[:], literalBits[:36])
	fillCodes(matchCodes[:], matchBits[:53])
	for i := range log2 {
		log2[i] = log2x256(uint32(max(i, 1)))
	}
})

func fillCodes(codes, extra []uint8) {
	for code, b := range extra {
		n := min(1<<b, len(codes))
		fill(codes[:n], uint8(code))
		codes = codes[n:]
	}
}

func literalCode(n uint32) uint8 {
	if n < uint32(len(literalCodes)) {
		return literalCodes[n]
	}
	return uint8(bits.Len32(n)) + 18
}

// matchCode returns the code of a match length, given less 3.
func matchCode(n uint32) uint8 {
	if n < uint32(len(matchCodes)) {
		return matchCodes[n]
	}
	return uint8(bits.Len32(n)) + 35
}
