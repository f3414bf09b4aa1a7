package lz4

import "github.com/seed03b80dae/blosc2/codecs/internal/lz77"

// These are the block format's largest offset and its "End of block conditions"
// (lz4_Block_format.md).
const (
	maxDistance  = 65535
	searchEnd    = 12 // no match begins in the last bytes of a block
	lastLiterals = 5  // no match ends in the last bytes of a block
)

// An HCEncoder searches harder than an Encoder. The zero value is ready. It is for one
// goroutine at a time.
type HCEncoder struct{ finder lz77.Finder }

// Encode compresses src into dst and returns the number of bytes, or 0 if they do
// not fit. A sequence is a token, literals, an offset, and the parts of the lengths
// that do not fit in the token (lz4_Block_format.md, "Compressed block format"). It
// keeps neither slice.
func (e *HCEncoder) Encode(dst, src []byte, effort lz77.Effort) int {
	var seqs []lz77.Seq
	if len(src) > searchEnd {
		effort.Window, effort.Flat = maxDistance, true
		e.finder.Reset(len(src))
		// The finder itself keeps 8 bytes from the end.
		seqs = e.finder.Find(src, 0, len(src)-lastLiterals, effort)
	}
	op, anchor := 0, 0
	for _, s := range seqs {
		literals, n := int(s.Literals), int(s.Length)-minMatch
		if op+1+literals+literals/255+1+2+n/255+1 > len(dst) {
			return 0
		}
		token := op
		dst[token] = byte(min(literals, 15)<<4 | min(n, 15))
		op = putLength(dst, op+1, literals)
		op += copy(dst[op:], src[anchor:anchor+literals])
		d := s.Off - lz77.RepeatCodes
		dst[op], dst[op+1] = byte(d), byte(d>>8)
		op = putLength(dst, op+2, n)
		anchor += literals + int(s.Length)
	}
	return putLiterals(dst, src[anchor:], op)
}

// putLength writes the bytes of a length of 15 and more that follow the token.
func putLength(dst []byte, op, n int) int {
	if n < 15 {
		return op
	}
	for n -= 15; n >= 255; n -= 255 {
		dst[op] = 255
		op++
	}
	dst[op] = byte(n)
	return op + 1
}

// putLiterals ends a block with literals.
func putLiterals(dst, literals []byte, op int) int {
	n := len(literals)
	if op+1+n+(n+255-15)/255 > len(dst) {
		return 0
	}
	dst[op] = byte(min(n, 15) << 4)
	op = putLength(dst, op+1, n)
	return op + copy(dst[op:], literals)
}
