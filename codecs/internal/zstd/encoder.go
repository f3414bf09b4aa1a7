// Package zstdenc makes zstd frames of streams that are wholly in memory. It
// looks for matches as far as C's levels of the middle do, where the library
// that is used otherwise stops earlier.
package zstd

import (
	"bytes"
	"encoding/binary"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

const (
	magic       = 0xfd2fb528
	maxBlock    = 128 << 10
	minLiterals = 64 // fewer are not worth a table
	minBlock    = 16 // less is stored raw
)

// The types of a block and of its literals.
const (
	raw        = 0
	rle        = 1
	compressed = 2
)

// An Encoder holds tables and buffers. The zero value is ready. It belongs to
// one goroutine at a time.
type Encoder struct {
	finder   lz77.Finder
	huffman  huffman
	literals []byte
	codes    codes
	own      [3]fseTable
	writer   sequenceWriter
	out      []byte
}

// Encode gives the frame of src, good until the next call: one segment, with
// its content size and without checksum. It is never much longer than src.
func (e *Encoder) Encode(src []byte, effort lz77.Effort) []byte {
	prepare()
	e.finder.Reset(len(src))
	// Room for all, even for a block that turns out not to shrink, so that it
	// is only once too little.
	if need := len(src) + 3*min(len(src), maxBlock) + 1024; cap(e.out) < need {
		e.out = make([]byte, 0, need)
	}
	out := appendHeader(e.out[:0], len(src))
	for from := 0; ; {
		to := min(from+maxBlock, len(src))
		out = e.appendBlock(out, src, from, to, effort)
		from = to
		if from == len(src) {
			break
		}
	}
	e.out = out
	return out
}

func appendHeader(dst []byte, n int) []byte {
	const singleSegment = 1 << 5
	dst = binary.LittleEndian.AppendUint32(dst, magic)
	switch {
	case n < 256:
		return append(dst, singleSegment, byte(n))
	case n < 1<<16+256:
		dst = append(dst, singleSegment|1<<6)
		return binary.LittleEndian.AppendUint16(dst, uint16(n-256))
	default:
		dst = append(dst, singleSegment|2<<6)
		return binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
}

func appendBlock(dst []byte, kind, n int, last bool) []byte {
	h := n<<3 | kind<<1
	if last {
		h |= 1
	}
	return append(dst, byte(h), byte(h>>8), byte(h>>16))
}

func (e *Encoder) appendBlock(dst, src []byte, from, to int, effort lz77.Effort) []byte {
	block, last := src[from:to], to == len(src)
	if len(block) > 0 && bytes.Equal(block[1:], block[:len(block)-1]) {
		return append(appendBlock(dst, rle, len(block), last), block[0])
	}
	at := len(dst)
	if len(block) >= minBlock {
		repeats := e.finder.Repeats()
		seqs := e.finder.Find(src, from, to, effort)
		coded := e.appendLiterals(appendBlock(dst, compressed, 0, last), block, seqs) // the length follows
		if coded = e.appendSequences(coded, seqs, len(block)); coded != nil && len(coded)-at-3 < len(block) {
			appendBlock(coded[:at], compressed, len(coded)-at-3, last)
			return coded
		}
		e.finder.SetRepeats(repeats)
	}
	dst = appendBlock(dst[:at], raw, len(block), last)
	return append(dst, block...)
}
