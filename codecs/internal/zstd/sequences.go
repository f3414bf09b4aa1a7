package zstd

import (
	"math"
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// A kind is one of the three alphabets of a sequence (RFC 8878, 3.1.1.3.2).
type kind struct {
	symbols    int
	maxLog     uint
	predefined []int16
	log        uint // of predefined
	table      fseTable
	values     []entry // of the symbols
}

var (
	literalLengths = kind{symbols: 36, maxLog: 9, log: 6, predefined: []int16{
		4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}}
	matchLengths = kind{symbols: 53, maxLog: 9, log: 6, predefined: []int16{
		1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}}
	offsets = kind{symbols: 32, maxLog: 8, log: 5, predefined: []int16{
		1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}}

	// The length codes, by length where they have one each.
	literalCodes [64]uint8
	matchCodes   [128]uint8

	literalBits = [36]uint8{16: 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	matchBits   = [53]uint8{32: 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

	log2 [1<<9 + 1]float32
)

func init() {
	literalLengths.values = values(literalBits[:], 0)
	matchLengths.values = values(matchBits[:], 3)
	for s := range offsets.symbols {
		offsets.values = append(offsets.values, entry{base: 1 << s, extra: uint8(s)})
	}
	for _, k := range []*kind{&literalLengths, &matchLengths, &offsets} {
		k.table.build(k.predefined, k.log)
	}
	fillCodes(literalCodes[:], literalBits[:])
	fillCodes(matchCodes[:], matchBits[:])
	for i := range log2 {
		log2[i] = float32(math.Log2(float64(max(i, 1))))
	}
}

func fillCodes(codes, extra []uint8) {
	n := 0
	for code, b := range extra {
		for range 1 << b {
			if n < len(codes) {
				codes[n] = uint8(code)
				n++
			}
		}
	}
}

func literalCode(n uint32) uint8 {
	if n < uint32(len(literalCodes)) {
		return literalCodes[n]
	}
	return uint8(bits.Len32(n)) + 18
}

// matchCode takes the length less 3.
func matchCode(n uint32) uint8 {
	if n < uint32(len(matchCodes)) {
		return matchCodes[n]
	}
	return uint8(bits.Len32(n)) + 35
}

// codes are the symbols of the sequences of a block.
type codes struct {
	literal, match, offset []uint8
}

func (c *codes) set(seqs []lz77.Seq) {
	c.literal, c.match, c.offset = c.literal[:0], c.match[:0], c.offset[:0]
	for _, s := range seqs {
		c.literal = append(c.literal, literalCode(s.Literals))
		c.match = append(c.match, matchCode(s.Length-3))
		c.offset = append(c.offset, uint8(bits.Len32(s.Off)-1))
	}
}

// The ways to describe a table.
const (
	modePredefined = 0
	modeRLE        = 1
	modeCompressed = 2
)

// choose picks how to code symbols, builds the table if it is a new one, and
// appends its description.
func (k *kind) choose(dst []byte, own *fseTable, symbols []uint8) (out []byte, t *fseTable, mode byte) {
	var counts [maxSymbols]uint32
	last := uint8(0)
	for _, s := range symbols {
		counts[s]++
		last = max(last, s)
	}
	total := len(symbols)
	if int(counts[last]) == total && total > 2 {
		return append(dst, last), nil, modeRLE
	}
	standard := float32(math.Inf(1))
	if int(last) < len(k.predefined) {
		standard = price(counts[:last+1], k.predefined, k.log)
	}
	log := min(k.maxLog, max(uint(bits.Len(uint(total-1))), 5+2)-2)
	log = max(log, 5, uint(bits.Len8(last))+1)
	log = min(log, k.maxLog)
	var space [maxSymbols]int16
	norm := space[:last+1]
	if total > 16 && int(counts[last]) < total {
		normalize(norm, counts[:last+1], total, log)
		header := len(dst)
		dst = appendCounts(dst, norm, log)
		if price(counts[:last+1], norm, log)+float32(len(dst)-header)*8 < standard {
			own.build(norm, log)
			return dst, own, modeCompressed
		}
		dst = dst[:header]
	}
	if math.IsInf(float64(standard), 1) {
		return dst, nil, modePredefined // cannot be coded
	}
	return dst, &k.table, modePredefined
}

// price estimates how many bits counts cost with a table.
func price(counts []uint32, norm []int16, log uint) float32 {
	var sum float32
	for s, c := range counts {
		if c > 0 {
			sum += float32(c) * (float32(log) - log2[max(norm[s], 1)])
		}
	}
	return sum
}
