package lz4

import (
	"bytes"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

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
// not fit. It keeps neither slice.
func (e *HCEncoder) Encode(dst, src []byte, effort lz77.Effort) int {
	if len(src) <= searchEnd {
		return putLiterals(dst, src, 0)
	}
	op, anchor, ok := putSequences(dst, src, e.find(src, effort))
	if !ok {
		return 0
	}
	return putLiterals(dst, src[anchor:], op)
}

// find returns the sequences of src, which end before its last literals.
func (e *HCEncoder) find(src []byte, effort lz77.Effort) []lz77.Seq {
	end := len(src) - lastLiterals
	effort.Window = maxDistance
	effort.Flat = true
	if end > oneItem && lz77.Period(src) > 0 {
		e.finder.Reset(oneItem)
		seqs := e.finder.Find(src, 0, oneItem, effort)
		if lengthen(seqs, src, end) {
			return seqs
		}
	}
	e.finder.Reset(len(src))
	return e.finder.Find(src, 0, end, effort) // no match begins in the 8 bytes before end
}

// oneItem is the number of bytes that are searched of a block of one item.
const oneItem = 256

// lengthen makes the last match end at end, and reports whether src repeats as far as that.
func lengthen(seqs []lz77.Seq, src []byte, end int) bool {
	at := 0
	for _, s := range seqs {
		at += int(s.Literals + s.Length)
	}
	if len(seqs) == 0 {
		return false
	}
	last := &seqs[len(seqs)-1]
	distance := int(last.Off - lz77.RepeatCodes)
	if !bytes.Equal(src[at:end], src[at-distance:end-distance]) {
		return false
	}
	last.Length += uint32(end - at)
	return true
}

// putSequences writes sequences, each of which is a token, literals, an offset, and the parts
// of the lengths that do not fit in the token (lz4_Block_format.md, "Compressed block
// format"). It returns the number of bytes written to dst and the number of bytes of src that
// they hold. ok is false if they do not fit.
func putSequences(dst, src []byte, seqs []lz77.Seq) (op, anchor int, ok bool) {
	for _, s := range seqs {
		literals, n, distance := int(s.Literals), int(s.Length)-minMatch, s.Off-lz77.RepeatCodes
		if op+1+literals+literals/255+1+2+n/255+1 > len(dst) {
			return 0, 0, false
		}
		dst[op] = byte(min(literals, 15)<<4 | min(n, 15))
		op++
		if literals >= 15 {
			op = putLength(dst, op, literals)
		}
		if literals <= 16 && op+16 <= len(dst) && anchor+16 <= len(src) {
			mem.Copy16(dst, op, src, anchor)
		} else {
			copy(dst[op:], src[anchor:anchor+literals])
		}
		op += literals
		dst[op], dst[op+1] = byte(distance), byte(distance>>8)
		op += 2
		if n >= 15 {
			op = putLength(dst, op, n)
		}
		anchor += literals + int(s.Length)
	}
	return op, anchor, true
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
